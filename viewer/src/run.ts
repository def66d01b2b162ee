// The runs of the page: a header, and planes of numbers that are inflated when they are shown.
// src/page/ writes both.

export interface CountFacts {
  name: string
  unit: string
  meaning: string
  sum: number // of all PEs
  most: number // of a PE
  series?: number[] // by window, of all PEs; only where the count has windows
  peak?: number // of a PE in a window
  full?: number // what a byte of 255 means in windows
}

/// How some routers treat a color: ports as bits, west, east, south, north, ramp.
export interface RouteFacts { from: number; to: number; text: string }

export interface ColorFacts {
  color: number
  name: string
  wavelets: number[] // by port
  held: number
  routes: RouteFacts[]
}

export interface LineFacts {
  first: number
  what: string
  where: string
  cycles: number
  most: number
  x: number
  y: number
}

/// An instruction, and the line that it is of.
export interface CodeFacts { text: string; line: number; cycles: number }

export interface ProgramFacts {
  name: string
  lines: LineFacts[]
  code: CodeFacts[]
  tasks: { kind: string; number: number; name: string }[]
  arrays: { name: string; address: number; bytes: number }[]
}

export interface LinkFacts { x: number; y: number; to: number; wavelets: number; color: number }

/// A part of the program: its first cycle, and the one after its last.
export interface PhaseFacts { name: string; first: number; last: number }

/// Where cycles go: `cycles` can be saved at most.
export interface FindingFacts {
  kind: string
  what: string
  cycles: number
  share: number
  phase: string
  x: number // -1: it has no place
  y: number
  color: number // -1: none
  line: string
  advice: string
}

/// A phase, or the run as a whole (without a name), and below what it cannot come.
export interface LeastFacts { name: string; took: number; least: [string, number, number, number][] }

/// What could not go on, and what it waited for: numbers of causes and of waits, or -1.
export interface WaitFacts {
  what: string
  line: string
  x: number
  y: number
  color: number
  cause: number
  waits_for: number
  first: boolean
}

export interface RunFacts {
  name: string
  width: number
  height: number
  cycles: number
  windows: number
  window_cycles: number
  counts: CountFacts[]
  colors: ColorFacts[]
  programs: ProgramFacts[]
  links: LinkFacts[]
  machine: string
  phases: PhaseFacts[]
  findings: FindingFacts[]
  least: LeastFacts[]
  path?: { kinds: [string, number, number][]; arrows: Arrow[] } // words, cycles and parts
  stuck?: { error: string; causes: string[]; waits: WaitFacts[] }
}

/// Of the map: a way, or a PE that is framed.
export interface Arrow { from: Place; to: Place; first: boolean }

export interface Page { weft: string; note: string; runs: RunFacts[] }

export interface Place { x: number; y: number }

export const page: Page = JSON.parse(document.getElementById('run')!.textContent!)
export const run = page.runs[0]!
export const other: RunFacts | undefined = page.runs[1]
export const pes = run.width * run.height
export const phases = run.phases

export const ports = ['west', 'east', 'south', 'north', 'ramp'] as const
export const links = ports.slice(0, 4).map(port => `link_${port}`)
export const countOf = (facts: RunFacts, name: string) => facts.counts.find(c => c.name === name)!

/// Colors by name: those of one name are one.
export interface Color { name: string; numbers: number[] }

function colorsOf(facts: RunFacts): Color[] {
  const all = new Map<string, Color>()
  for (const { color, name } of facts.colors) {
    const shown = name || `color ${color}`
    const known = all.get(shown)
    if (known) known.numbers.push(color)
    else all.set(shown, { name: shown, numbers: [color] })
  }
  return [...all.values()]
}
export const colors = colorsOf(run)
export const colorName = (number: number) =>
  colors.find(color => color.numbers.includes(number))?.name ?? ''

export const isCount = (name: string) => run.counts.some(count => count.name === name)

/// First cycle and number of cycles of a window, or of the whole run: -1.
export function span(facts: RunFacts, window: number) {
  if (window < 0) return { first: 0, length: Math.max(1, facts.cycles) }
  const first = window * facts.window_cycles
  return { first, length: Math.max(1, Math.min(facts.window_cycles, facts.cycles - first)) }
}

// Planes

function fromBase64(text: string): Uint8Array {
  const quick = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64
  return quick ? quick.call(Uint8Array, text) : Uint8Array.from(atob(text), c => c.charCodeAt(0))
}

async function inflate(id: string): Promise<Uint8Array> {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no plane ${id}`)
  const packed = fromBase64(element.textContent!) as BlobPart
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  for (let row = 0; row < bytes.length; row += run.width)
    for (let i = row + 1; i < row + run.width; ++i) bytes[i]! += bytes[i - 1]!
  return bytes
}

const kept = new Map<string, Promise<Uint8Array>>() // least recently used first
const mostKept = Math.max(32, Math.floor((96 << 20) / pes))

function bytesOf(id: string): Promise<Uint8Array> {
  const found = kept.get(id) ?? inflate(id)
  kept.delete(id)
  kept.set(id, found)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return found
}

/// Exact numbers by PE, of as many bytes as they need: all lowest bytes, then the next ones.
async function exact(id: string): Promise<Float64Array> {
  const bytes = await bytesOf(id)
  const values = new Float64Array(pes)
  for (let at = bytes.length - pes; at >= 0; at -= pes)
    for (let pe = 0; pe < pes; ++pe) values[pe] = values[pe]! * 256 + bytes[at + pe]!
  return values
}

const of = (facts: RunFacts) => (facts === run ? 0 : 1)

export const total = (facts: RunFacts, count: string) => exact(`${of(facts)}.${count}`)

/// A count in a window: a byte a PE, of which 255 is `full`. It is 0 only where the count is.
export const inWindow = (facts: RunFacts, count: string, window: number) =>
  bytesOf(`${of(facts)}.${count}.${window}`)

/// Numbers that PEs share are kept plus one; 0 is none.
async function numbers(id: string): Promise<((x: number, y: number) => number) | null> {
  if (!document.getElementById(id)) return null
  const values = await exact(id)
  return (x, y) => values[y * run.width + x]! - 1
}

/// The number of the program that a PE has, if the run knows.
export const programOf = () => numbers('0.program')

/// How a PE's router treats a color: the first of its numbers that has a route there.
export async function routesOf(color: Color) {
  const all = await Promise.all(color.numbers.map(async n => {
    const at = await numbers(`0.color.${n}.routes`)
    const { routes } = run.colors.find(c => c.color === n)!
    return at ? (x: number, y: number) => routes[at(x, y)] ?? null : null
  }))
  const known = all.filter(each => each !== null)
  if (known.length === 0) return null
  return (x: number, y: number) => known.map(at => at(x, y)).find(route => route !== null) ?? null
}

/// What left by a port of a color, or its cycles held.
export async function ofColor(facts: RunFacts, color: Color, part: string): Promise<Float64Array> {
  const numbers = color.numbers.filter(n => facts.colors.some(c => c.color === n))
  const all = await Promise.all(numbers.map(n => exact(`${of(facts)}.color.${n}.${part}`)))
  const sum = new Float64Array(pes)
  for (const each of all) for (let pe = 0; pe < pes; ++pe) sum[pe] = sum[pe]! + each[pe]!
  return sum
}
