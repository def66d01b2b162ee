// Why a run stood still: who waits for whom. The map has an arrow for each wait.
import { Section } from '../parts'
import { run } from '../run'
import type { Place } from '../run'

const waits = run.stuck?.waits ?? []

export const arrows = waits.map(({ x, y, waits_for, first }) => {
  const to = waits[waits_for]
  return { from: { x, y }, to: to ? { x: to.x, y: to.y } : { x, y }, first }
})

export function Stuck({ go }: { go: (place: Place) => void }) {
  const { error, causes } = run.stuck!
  const shown = [...waits].sort((a, b) => Number(b.first) - Number(a.first)).slice(0, 200)
  return (
    <>
      <Section title="Why it stands still">
        <p>{error}</p>
        <ol>{causes.map(cause => <li>{cause}</li>)}</ol>
      </Section>
      <Section title="Who waits" note="first causes first">
        <table class="code"><tbody>{shown.map(({ what, line, x, y, first }) => (
          <tr class="pick" onClick={() => go({ x, y })}>
            <td>{first ? <b class="alarm">first cause: </b> : null}{what}<small>{line}</small></td>
            <td class="n">({x}, {y})</td>
          </tr>
        ))}</tbody></table>
        {waits.length > shown.length ? <p class="note">{waits.length - shown.length} more.</p> : null}
      </Section>
    </>
  )
}
