// The programs, and the cycles of their lines.
import { useEffect, useState } from 'preact/hooks'
import { Bar, Section } from '../parts'
import { run } from '../run'
import type { LineFacts, Place, ProgramFacts } from '../run'
import { number } from '../words'

/// A line without words is an instruction, or all instructions without words.
function name(line: LineFacts, n: number, { code }: ProgramFacts) {
  const its = line.what ? [] : code.filter(each => each.line === n)
  return line.what || (its.length === 1 ? its[0]!.text : 'without words')
}

/// Lines with cycles by all PEs that have the program. Its instructions follow a line if asked for.
export function Lines({ program, go }: { program: ProgramFacts; go: (place: Place) => void }) {
  const [open, setOpen] = useState(-1)
  useEffect(() => setOpen(-1), [program])
  const most = Math.max(1, ...program.lines.map(line => line.cycles))
  return (
    <table class="code">
      <thead><tr><th>line</th><th class="n">cycles</th><th /><th class="n">most at</th></tr></thead>
      <tbody>{program.lines.map((line, n) => (
        <>
          <tr class="pick" onClick={() => setOpen(open === n ? -1 : n)}>
            <td><code>{name(line, n, program)}</code><small>{line.where}</small></td>
            <td class="n">{line.cycles ? number(line.cycles) : ''}</td>
            <td class="w">{line.cycles ? <Bar share={line.cycles / most} kind="computing" /> : null}</td>
            <td class="n">{line.cycles ? (
              <a onClick={event => { event.stopPropagation(); go(line) }}
                title={`${number(line.most)} cycles there`}>({line.x}, {line.y})</a>
            ) : null}</td>
          </tr>
          {open === n ? program.code.filter(code => code.line === n).map(code => (
            <tr class="instruction"><td><code>{code.text}</code></td>
              <td class="n">{code.cycles ? number(code.cycles) : ''}</td>
              <td class="w">{code.cycles ? <Bar share={code.cycles / most} kind="moving" /> : null}</td>
              <td /></tr>
          )) : null}
        </>
      ))}</tbody>
    </table>
  )
}

/// "halo (2)" is of "halo": a design writes a program for each kind of PE. Their equal lines are one.
function families(): ProgramFacts[] {
  const all = new Map<string, ProgramFacts>()
  for (const program of run.programs) {
    const { name, lines } = program, family = name.replace(/ \(\d+\)$/, '')
    const first = all.get(family)
    if (!first) all.set(family, { ...program, name: family, lines: lines.map(line => ({ ...line })) })
    if (!first) continue
    const known = { ...first, code: [] } // instructions are of one program
    all.set(family, known)
    for (const line of lines) {
      const same = known.lines.find(l => line.what && l.what === line.what && l.where === line.where)
      if (!same) known.lines.push({ ...line })
      else {
        if (line.most > same.most) Object.assign(same, { most: line.most, x: line.x, y: line.y })
        same.cycles += line.cycles
      }
    }
  }
  return [...all.values()]
}
export const programs = families()

interface Wanted { shown: number; show: (program: number) => void; go: (place: Place) => void }

export function Code({ shown, show, go }: Wanted) {
  const program = programs[shown]
  if (!program) return <p class="note">The run has no program.</p>
  return (
    <Section title="Cycles by line" note="of all PEs that have the program">
      <select aria-label="Program" value={shown}
        onChange={event => show(Number(event.currentTarget.value))}>
        {programs.map((each, n) => <option value={n}>{each.name || `program ${n}`}</option>)}
      </select>
      <Lines program={program} go={go} />
    </Section>
  )
}
