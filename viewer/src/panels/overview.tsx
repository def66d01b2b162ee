// Where the cycles of the run go.
import { states, words } from '../frame'
import { Bar, Legend, Section, Stack } from '../parts'
import { colorName, countOf, other, page, pes, phases, run } from '../run'
import type { FindingFacts, Place, RunFacts } from '../run'
import { number, percent } from '../words'

const reasons: [string, string][] = [
  ['held_link', 'the link was taken'], ['held_room', 'no room beyond the link'],
  ['held_ramp', 'the ramp was taken or full'], ['held_rest', 'the link rested'],
]

const parts = (facts: RunFacts) =>
  states.map(id => ({ id, name: words(id),
    share: countOf(facts, id).sum / pes / Math.max(1, facts.cycles) }))

function Finding({ finding, go }: { finding: FindingFacts; go: (place: Place) => void }) {
  const { kind, what, cycles, share, phase, x, y, color, line, advice } = finding
  const more = [color >= 0 ? colorName(color) : '', line].filter(text => text).join(', ')
  return (
    <button class="finding" onClick={() => x >= 0 && go({ x, y })}>
      <b>{percent(share)}</b>
      <div>
        <strong>{words(kind)}</strong>{phase ? ` in ${phase}` : ''}
        {' '}<span class="soft">{number(cycles)} cycles at most</span>
        <Bar share={share} />
        <p>{what[0]!.toUpperCase() + what.slice(1)}.</p>
        {more ? <p class="soft">{more}</p> : null}
        <p class="soft">{advice[0]!.toUpperCase() + advice.slice(1)}.</p>
      </div>
    </button>
  )
}

function Least() {
  const all = run.least
  if (!all.length) return null
  return (
    <Section title="At least, by phase" note="cycles">
      <table class="least">
        <thead><tr><th>phase</th><th class="n">took</th>
          {all[0]!.least.map(([what]) => <th class="n">{what}</th>)}</tr></thead>
        <tbody>{all.map(({ name, took, least }) => (
          <tr><td>{name || 'whole run'}</td><td class="n">{number(took)}</td>
            {least.map(([, cycles, x, y]) => (
              <td class="n" title={x >= 0 ? `PE (${x}, ${y})` : ''}>{number(cycles)}</td>))}</tr>
        ))}</tbody>
      </table>
    </Section>
  )
}

function Held() {
  const held = countOf(run, 'held').sum
  if (held === 0) return <Section title="Held wavelets"><p class="note">None was held.</p></Section>
  const by = reasons.map(([id, why]) => ({ why, sum: countOf(run, id).sum }))
  return (
    <Section title="Held wavelets" note={`${number(held)} cycles, by reason`}>
      <table><tbody>{by.map(({ why, sum }) => (
        <tr><td>{why}</td><td class="n">{number(sum)}</td>
          <td class="w"><Bar share={sum / held} kind="waits_room" /></td></tr>
      ))}</tbody></table>
    </Section>
  )
}

export function Overview({ go }: { go: (place: Place) => void }) {
  const shares = parts(run)
  const { findings } = run
  return (
    <>
      {page.note ? <p class="note told">{page.note}</p> : null}
      <Section title="Where the cycles of all PEs go">
        <Stack parts={shares} />
        <Legend parts={shares} />
      </Section>
      {other ? (
        <Section title="In the other run" note={`${other.name}, ${number(other.cycles)} cycles`}>
          <Stack parts={parts(other)} />
          <Legend parts={parts(other)} />
        </Section>
      ) : null}
      {findings.length ? (
        <Section title={`Why it takes ${number(run.cycles)} cycles`}>
          {findings.map(finding => <Finding finding={finding} go={go} />)}
        </Section>
      ) : null}
      {run.path ? (
        <Section title="What decided the end" note="critical path, on the map">
          <table><tbody>{run.path.kinds.map(([what, cycles, parts]) => (
            <tr><td>{what}</td><td class="n">{number(cycles)} in {number(parts)}</td>
              <td class="w"><Bar share={cycles / run.cycles} /></td></tr>
          ))}</tbody></table>
        </Section>
      ) : null}
      {phases.length ? (
        <Section title="Phases">
          <table><tbody>{phases.map(({ name, first, last }) => (
            <tr><td>{name}</td><td class="n">{number(last - first)}</td>
              <td class="w"><Bar share={(last - first) / Math.max(1, run.cycles)} /></td></tr>
          ))}</tbody></table>
        </Section>
      ) : null}
      <Least />
      <Held />
    </>
  )
}
