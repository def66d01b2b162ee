// A metric at a time, as a number for each PE: what the map shows.
import { countOf, inWindow, links, ofColor, other, pes, ports, run, span, total } from './run'
import type { Color, RunFacts } from './run'

export interface Metric {
  id: string
  name: string
  meaning: string
  unit: string
  group: string
  windowed: boolean
  share: boolean // at most one a cycle, or cycles: shown as a part of the time
  byColor?: string // the part of a color, where it is counted by color
}

const byColor: Record<string, string> = { delivered: 'ramp', held: 'held', busiest_link: 'busiest' }
ports.slice(0, 4).forEach(port => (byColor[`link_${port}`] = port))

const groups: [string, (name: string) => boolean][] = [
  ['Links', name => links.includes(name)],
  ['Routers', name => /^held|^from_host/.test(name)],
  ['Ramps', name => /^(sent|delivered|let_in|refused)$/.test(name)],
  ['Cores', () => true],
]
export const states = ['computing', 'moving', 'waits_data', 'waits_room', 'idle']

export const words = (name: string) => {
  const text = name.replaceAll('_', ' ')
  return text[0]!.toUpperCase() + text.slice(1)
}

function metricOf(name: string): Metric {
  const { unit, meaning, series } = countOf(run, name)
  const group = groups.find(([, has]) => has(name))![0]
  const share = unit === 'cycles' || group === 'Links'
  const windowed = run.windows > 0 && (series !== undefined || name === 'idle')
  return { id: name, name: words(name), meaning, unit, group, windowed, share,
    ...(byColor[name] ? { byColor: byColor[name] } : {}) }
}

export const metrics: Metric[] = [
  { id: 'busiest_link', name: 'Busiest link', group: 'Links', unit: 'wavelets', share: true,
    meaning: 'of the four links of a PE the one with the most wavelets',
    windowed: run.windows > 0, byColor: 'busiest' },
  ...links.map(metricOf),
  ...run.counts.filter(count => !links.includes(count.name)).map(count => metricOf(count.name)),
]
export const metricGroups = ['Links', 'Cores', 'Routers', 'Ramps']
export const metricNamed = (id: string) => metrics.find(metric => metric.id === id) ?? metrics[0]!

/// What the map is compared with: nothing, a window of the run, or the other run.
export type Against = 'nothing' | 'other' | number

export interface View { metric: Metric; color: Color | null; window: number; against: Against }

type Numbers = Float64Array | Float32Array | Uint8Array

function greatest(all: Numbers[]): Float32Array {
  const most = Float32Array.from(all[0]!)
  for (const each of all.slice(1))
    for (let pe = 0; pe < pes; ++pe) if (each[pe]! > most[pe]!) most[pe] = each[pe]!
  return most
}

/// Bytes of a window as parts of its cycles. Of several counts the greatest: links, whose bytes are
/// of the same scale.
async function rates(facts: RunFacts, counts: string[], window: number): Promise<Float32Array> {
  const all = await Promise.all(counts.map(count => inWindow(facts, count, window)))
  const bytes = all.length > 1 ? all[0]!.slice() : all[0]!
  for (const each of all.slice(1))
    for (let pe = 0; pe < pes; ++pe) if (each[pe]! > bytes[pe]!) bytes[pe] = each[pe]!
  const { full } = countOf(facts, counts[0]!)
  const { length } = span(facts, window)
  const table = Float32Array.from({ length: 256 }, (_, b) => Math.round((b * full!) / 255) / length)
  const values = new Float32Array(pes)
  for (let pe = 0; pe < pes; ++pe) values[pe] = table[bytes[pe]!]!
  return values
}

const partsOf = (id: string) =>
  id === 'busiest_link' ? links : id === 'idle' ? states.slice(0, 4) : [id]

/// Inflates what a window needs before it is shown.
export function warm(id: string, window: number) {
  if (window > 0 && window < run.windows && metricNamed(id).windowed)
    partsOf(id).forEach(count => inWindow(run, count, window))
}

async function windowRates(facts: RunFacts, id: string, window: number): Promise<Float32Array> {
  if (id !== 'idle') return rates(facts, partsOf(id), window)
  const busy = await Promise.all(states.slice(0, 4).map(state => rates(facts, [state], window)))
  const idle = new Float32Array(pes)
  for (let pe = 0; pe < pes; ++pe)
    idle[pe] = Math.max(0, 1 - busy.reduce((sum, state) => sum + state[pe]!, 0))
  return idle
}

function scaled(values: Numbers, by: number): Float32Array {
  const out = new Float32Array(pes)
  for (let pe = 0; pe < pes; ++pe) out[pe] = values[pe]! * by
  return out
}

async function wholeRun(facts: RunFacts, metric: Metric, color: Color | null) {
  const part = color ? metric.byColor : undefined
  if (part === 'busiest')
    return greatest(await Promise.all(ports.slice(0, 4).map(port => ofColor(facts, color!, port))))
  if (part) return ofColor(facts, color!, part)
  if (metric.id === 'busiest_link')
    return greatest(await Promise.all(links.map(link => total(facts, link))))
  return total(facts, metric.id)
}

/// The other run in the same cycles as a window of this one, as a part of them.
async function otherInSpan(id: string, window: number): Promise<Float32Array> {
  const { first, length } = span(run, window)
  const sum = new Float32Array(pes)
  for (let w = 0; w < other!.windows; ++w) {
    const its = span(other!, w)
    const both = Math.min(first + length, its.first + its.length) - Math.max(first, its.first)
    if (both <= 0) continue
    const values = await windowRates(other!, id, w)
    for (let pe = 0; pe < pes; ++pe) sum[pe] = sum[pe]! + (values[pe]! * both) / length
  }
  return sum
}

export const isWindow = ({ metric, color, window }: View) =>
  window >= 0 && metric.windowed && !color

/// By PE: parts of the cycles where the metric is such, else counts; of a comparison the difference,
/// of whole runs in parts of this run's cycles.
export async function frame(view: View): Promise<Float32Array> {
  const { metric, color, window, against } = view
  const inTime = isWindow(view)
  const by = metric.share ? 1 / span(run, -1).length : 1
  const shown = inTime
    ? await windowRates(run, metric.id, window)
    : scaled(await wholeRun(run, metric, color), by)
  if (against === 'nothing' || (against !== 'other' && !inTime)) return shown
  const base = against !== 'other'
    ? await windowRates(run, metric.id, against)
    : inTime
      ? await otherInSpan(metric.id, window)
      : scaled(await wholeRun(other!, metric, color), by)
  for (let pe = 0; pe < pes; ++pe) shown[pe] = shown[pe]! - base[pe]!
  return shown
}

/// Whether the frame is a difference: windows are compared with windows alone.
export const isDifference = (view: View) =>
  view.against === 'other' || (view.against !== 'nothing' && isWindow(view))

/// The top of the scale if nobody chose one: the same in all windows.
export function topOf(view: View, values: Float32Array): number {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  if (!isDifference(view) && isWindow(view)) {
    const peaks = view.metric.id === 'idle' ? [run.window_cycles]
      : partsOf(view.metric.id).map(name => countOf(run, name).peak!)
    most = Math.max(most, Math.max(...peaks) / run.window_cycles)
  }
  if (most === 0) return 1
  const step = 10 ** Math.floor(Math.log10(most)) / 4
  return Math.ceil(most / step - 1e-6) * step
}
