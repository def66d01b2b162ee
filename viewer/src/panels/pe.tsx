// One PE: its states over time, its counts, its colors, its program.
import { useEffect, useRef, useState } from 'preact/hooks'
import { metricGroups, metrics, states, words } from '../frame'
import { tokens } from '../palette'
import type { Theme, Tokens } from '../palette'
import { Legend, Section } from '../parts'
import { colors, countOf, inWindow, ofColor, ports, programOf, routesOf, run, span, total } from '../run'
import type { Place, ProgramFacts } from '../run'
import { number, percent } from '../words'
import { Lines } from './code'

/// The last result of `find`, whose work ends with `live()` false when another PE is chosen.
function useFound<T>(find: (live: () => boolean) => Promise<T | null>, needs: unknown[]): T | null {
  const [found, setFound] = useState<T | null>(null)
  useEffect(() => {
    let live = true
    find(() => live).then(result => live && setFound(() => result))
    return () => { live = false }
  }, needs)
  return found
}

/// Of each window the parts of four states; the rest is idle.
async function seriesOf(pe: number, live: () => boolean): Promise<number[][] | null> {
  const all: number[][] = []
  for (let w = 0; w < run.windows; ++w) {
    const { length } = span(run, w)
    all.push(await Promise.all(states.slice(0, 4).map(async state =>
      (((await inWindow(run, state, w))[pe]! / 255) * countOf(run, state).full!) / length)))
    if (!live()) return null
  }
  return all
}

function draw(canvas: HTMLCanvasElement, series: number[][] | null, window: number) {
  const c = canvas.getContext('2d')!, { width, height } = canvas, colors = tokens()
  c.fillStyle = colors.idle
  c.fillRect(0, 0, width, height)
  series?.forEach((parts, w) => {
    const [first, last] = [span(run, w).first, span(run, w).first + span(run, w).length]
    const [from, to] = [(first / run.cycles) * width, (last / run.cycles) * width]
    let y = height
    parts.forEach((part, n) => {
      c.fillStyle = colors[states[n] as keyof Tokens]
      c.fillRect(from, (y -= part * height), to - from + 0.5, part * height + 0.5)
    })
  })
  if (window < 0) return
  const { first, length } = span(run, window)
  c.fillStyle = colors.text
  c.fillRect(((first + length / 2) / run.cycles) * width - 1, 0, 2, height)
}

async function countsOf(pe: number) {
  const values = await Promise.all(run.counts.map(async ({ name }) => (await total(run, name))[pe]!))
  return new Map(run.counts.map(({ name }, n) => [name, values[n]!]))
}

async function colorsOf({ x, y }: Place) {
  const pe = y * run.width + x
  const rows = await Promise.all(colors.map(async color => {
    const parts = await Promise.all([...ports, 'held'].map(part => ofColor(run, color, part)))
    const route = (await routesOf(color))?.(x, y)?.text ?? ''
    return { name: color.name, values: parts.map(part => part[pe]!), route }
  }))
  return rows.filter(({ values, route }) => route || values.some(value => value > 0))
}

function Counts({ counts }: { counts: Map<string, number> }) {
  return (
    <table class="counts">{metricGroups.map(group => (
      <tbody>
        <tr><th colSpan={3}>{group}</th></tr>
        {metrics.filter(m => m.group === group && counts.has(m.id)).map(m => (
          <tr title={`${m.unit}: ${m.meaning}`}><td>{m.name}</td>
            <td class="n">{number(counts.get(m.id)!)}</td>
            <td class="n soft">{m.share ? percent(counts.get(m.id)! / Math.max(1, run.cycles)) : ''}</td></tr>
        ))}
      </tbody>
    ))}</table>
  )
}

function Colors({ rows }: { rows: Awaited<ReturnType<typeof colorsOf>> }) {
  return (
    <table class="colors">
      <thead><tr><th>color</th>{['W', 'E', 'S', 'N', 'core'].map(port => <th class="n">{port}</th>)}
        <th class="n">held</th></tr></thead>
      <tbody>{rows.map(({ name, values, route }) => (
        <tr><td class="cut">{name}{route ? <small>{route}</small> : null}</td>
          {values.map(value => <td class="n">{value ? number(value) : '·'}</td>)}</tr>
      ))}</tbody>
    </table>
  )
}

function Names({ program }: { program: ProgramFacts }) {
  const { tasks, arrays } = program
  return (
    <>
      {tasks.length ? <Section title="Tasks"><table><tbody>{tasks.map(task => (
        <tr><td>{task.name || 'without a name'}</td><td>{task.kind} task {task.number}</td></tr>
      ))}</tbody></table></Section> : null}
      {arrays.length ? <Section title="Arrays"><table><tbody>{arrays.map(array => (
        <tr><td>{array.name}</td><td class="n">{number(array.bytes)} bytes</td>
          <td class="n">at {array.address}</td></tr>
      ))}</tbody></table></Section> : null}
    </>
  )
}

interface Wanted { place: Place; window: number; theme: Theme; go: (place: Place) => void }

export function Pe({ place, window, theme, go }: Wanted) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pe = place.y * run.width + place.x, at = [place.x, place.y]
  const series = useFound(live => seriesOf(pe, live), at)
  const counts = useFound(() => countsOf(pe), at)
  const rows = useFound(() => colorsOf(place), at)
  const number_ = useFound(async () => (await programOf())?.(place.x, place.y) ?? -1, at) ?? -1
  const program = run.programs[number_]
  useEffect(() => {
    if (canvas.current) draw(canvas.current, series, window)
  }, [series, window, theme])
  return (
    <>
      <Section title={`PE (${place.x}, ${place.y})`} note={program ? `program ${program.name}` : ''}>
        {counts ? <Legend parts={states.map(id => ({ id, name: words(id),
          share: counts.get(id)! / Math.max(1, run.cycles) }))} /> : null}
        {run.windows ? <canvas class="series" ref={canvas} width="740" height="112" /> : null}
      </Section>
      {program ? <Section title="Program" note="cycles by line, of all PEs that have it">
        <Lines program={program} go={go} /></Section> : null}
      {rows?.length ? <Section title="Colors" note="wavelets that left by each port">
        <Colors rows={rows} /></Section> : null}
      {counts ? <Section title="Counts"><Counts counts={counts} /></Section> : null}
      {program ? <Names program={program} /> : null}
    </>
  )
}
