// Finds PEs by their place, and metrics, colors, programs, lines and phases by their names.
import type { Ref } from 'preact'
import { useState } from 'preact/hooks'
import { metrics } from './frame'
import { programs } from './panels/code'
import { colors, phases, run } from './run'
import type { Color, Place } from './run'

export interface Goals {
  place: (place: Place) => void
  metric: (id: string) => void
  color: (color: Color) => void
  program: (number: number) => void
  phase: (first: number, last: number) => void
}

interface Found { kind: string; name: string; act: (goals: Goals) => void }

const known: Found[] = [
  ...metrics.map(m => ({ kind: 'metric', name: m.name, act: (g: Goals) => g.metric(m.id) })),
  ...colors.map(c => ({ kind: 'color', name: c.name, act: (g: Goals) => g.color(c) })),
  ...phases.map(p => ({ kind: 'phase', name: p.name, act: (g: Goals) => g.phase(p.first, p.last) })),
  ...programs.map(({ name }, n) => ({ kind: 'program', name, act: (g: Goals) => g.program(n) })),
  ...programs.flatMap(({ lines }) => lines.filter(line => line.what).map(line =>
    ({ kind: 'line', name: `${line.what} ${line.where}`, act: (g: Goals) => g.place(line) }))),
]

function find(text: string): Found[] {
  const numbers = text.match(/^\D*(\d+)\D+(\d+)\D*$/)
  const [x, y] = [Number(numbers?.[1]), Number(numbers?.[2])]
  const there: Found[] = x < run.width && y < run.height
    ? [{ kind: 'PE', name: `(${x}, ${y})`, act: g => g.place({ x, y }) }] : []
  const wanted = text.trim().toLowerCase()
  const named = wanted ? known.filter(each => each.name.toLowerCase().includes(wanted)) : []
  return [...there, ...named].slice(0, 9)
}

export function Search({ input, goals }: { input: Ref<HTMLInputElement>; goals: Goals }) {
  const [text, setText] = useState(''), [chosen, setChosen] = useState(0)
  const found = find(text)
  const take = (one: Found | undefined) => {
    if (!one) return
    one.act(goals)
    setText('')
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  const key = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) {
      event.preventDefault()
      setChosen(n => Math.max(0, Math.min(found.length - 1, n + by)))
    }
    if (event.key === 'Escape') take({ kind: '', name: '', act: () => {} })
  }
  return (
    <form class="search" onSubmit={event => { event.preventDefault(); take(found[chosen]) }}>
      <input ref={input} value={text} placeholder="Find a PE (x, y) or a name   /" aria-label="Find"
        onInput={event => { setText(event.currentTarget.value); setChosen(0) }} onKeyDown={key} />
      {text ? (
        <ul>{found.map((each, n) => (
          <li class={n === chosen ? 'on' : ''} onPointerDown={() => take(each)}>
            <span>{each.name}</span><em>{each.kind}</em></li>
        ))}{found.length ? null : <li>nothing of this name, and no such PE</li>}</ul>
      ) : null}
    </form>
  )
}
