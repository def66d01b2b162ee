// The fullest links, and the colors.
import { Bar, Section } from '../parts'
import { colorName, colors, ports, run } from '../run'
import type { Color, Place } from '../run'
import { number, percent } from '../words'

function sums({ numbers }: Color) {
  const its = run.colors.filter(c => numbers.includes(c.color))
  const links = its.reduce((sum, c) => sum + c.wavelets.slice(0, 4).reduce((a, b) => a + b, 0), 0)
  const ramp = its.reduce((sum, c) => sum + c.wavelets[4]!, 0)
  return { links, ramp, held: its.reduce((sum, c) => sum + c.held, 0) }
}

interface Wanted { go: (place: Place) => void; chosen: Color | null; choose: (c: Color) => void }

export function Links({ go, chosen, choose }: Wanted) {
  return (
    <>
      <Section title="Fullest links">
        <table>
          <thead><tr><th>link</th><th>most of color</th><th class="n">wavelets</th>
            <th class="n">busy</th><th /></tr></thead>
          <tbody>{run.links.map(({ x, y, to, wavelets, color }) => (
            <tr class="pick" onClick={() => go({ x, y })}>
              <td>({x}, {y}) {ports[to]}</td><td class="cut">{colorName(color)}</td>
              <td class="n">{number(wavelets)}</td>
              <td class="n">{percent(wavelets / Math.max(1, run.cycles))}</td>
              <td class="w"><Bar share={wavelets / Math.max(1, run.cycles)} /></td>
            </tr>
          ))}</tbody>
        </table>
        {run.links.length ? null : <p class="note">No link carried a wavelet.</p>}
      </Section>
      <Section title="Colors" note="choose one to see its links alone">
        <table>
          <thead><tr><th>color</th><th class="n">over links</th><th class="n">to cores</th>
            <th class="n">held, cycles</th></tr></thead>
          <tbody>{colors.map(color => {
            const { links, ramp, held } = sums(color)
            return (
              <tr class={color === chosen ? 'pick on' : 'pick'} onClick={() => choose(color)}>
                <td class="cut">{color.name}</td><td class="n">{number(links)}</td>
                <td class="n">{number(ramp)}</td><td class="n">{number(held)}</td>
              </tr>
            )
          })}</tbody>
        </table>
      </Section>
    </>
  )
}
