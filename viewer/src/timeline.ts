// The cycles of all PEs over time, stacked by what their cores do; above them the phases of the
// program, and the window that is shown.
import uPlot from 'uplot'
import { states } from './frame'
import type { Tokens } from './palette'
import { countOf, pes, phases, run, span } from './run'
import { short } from './words'

/// Parts of all PEs' cycles by state, for each window.
function shares(): number[][] {
  const all = states.slice(0, 4).map(state =>
    Array.from({ length: run.windows }, (_, w) =>
      countOf(run, state).series![w]! / pes / span(run, w).length))
  const idle = Array.from({ length: run.windows }, (_, w) =>
    Math.max(0, 1 - all.reduce((sum, state) => sum + state[w]!, 0)))
  return [...all, idle]
}

export class Timeline {
  private plot: uPlot | null = null
  private shown = -1
  private base = -1
  private colors: Tokens | null = null

  constructor(private readonly box: HTMLElement, private readonly pick: (window: number) => void) {
    new ResizeObserver(() =>
      this.plot?.setSize({ width: box.clientWidth, height: box.clientHeight })).observe(box)
  }

  theme(tokens: Tokens) {
    this.plot?.destroy()
    this.colors = tokens
    const starts = Array.from({ length: run.windows }, (_, w) => span(run, w).first)
    const sum = starts.map(() => 0)
    const stacked = shares().map(part => part.map((v, w) => (sum[w] = sum[w]! + v)))
    const edge = (of: number[]) => [...of, of.at(-1)!] // the last window reaches the end of the run
    const paths = uPlot.paths.stepped!({ align: 1 })
    const axis: uPlot.Axis = { stroke: tokens.soft, font: '11px system-ui, sans-serif',
      grid: { stroke: tokens.line, width: 1 }, ticks: { show: false } }
    this.plot = new uPlot({
      width: this.box.clientWidth, height: this.box.clientHeight, legend: { show: false },
      padding: [26, 16, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: () => [0, run.cycles] }, y: { range: () => [0, 1] } },
      axes: [
        { ...axis, size: 26,
          values: (_, ticks) => ticks.map(v => (v === 0 ? '0 cycles' : short(v))) },
        { ...axis, size: 50, space: 26,
          values: (_, ticks) => ticks.map(v => `${Math.round(v * 100)} %`) },
      ],
      series: [{}, ...stacked.map((_, n) => n).reverse().map(n => {
        const color = tokens[states[n] as keyof Tokens]
        return { paths, fill: color, stroke: color, width: 0, points: { show: false } }
      })],
      hooks: { draw: [plot => this.marks(plot)], ready: [plot => this.listen(plot)] },
    }, [[...starts, run.cycles], ...stacked.map(edge).reverse()], this.box)
  }

  show(window: number, base: number) {
    this.shown = window
    this.base = base
    this.plot?.redraw(false)
  }

  private marks(plot: uPlot) {
    const { ctx: c } = plot, { left, top, width, height } = plot.bbox, d = devicePixelRatio
    const tokens = this.colors!, at = (cycle: number) => plot.valToPos(cycle, 'x', true)
    c.save()
    c.font = `600 ${11 * d}px system-ui, sans-serif`
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    for (const phase of phases) {
      const [from, to] = [at(phase.first), at(phase.last)]
      c.fillStyle = tokens.line
      c.beginPath()
      c.roundRect(from + d, top - 21 * d, Math.max(d, to - from - 2 * d), 16 * d, 4 * d)
      c.fill()
      c.fillStyle = tokens.text
      if (c.measureText(phase.name).width < to - from - 8 * d)
        c.fillText(phase.name, (from + to) / 2, top - 12.5 * d)
    }
    const band = (window: number, color: string) => {
      const { first, length } = span(run, window), [from, to] = [at(first), at(first + length)]
      c.fillStyle = color
      c.fillRect(from - d, top - 3 * d, Math.max(2 * d, to - from + 2 * d), 3 * d)
      c.fillRect((from + to) / 2 - d, top, 2 * d, height)
      return [from, to] as const
    }
    if (this.shown >= 0) {
      const [from, to] = band(this.shown, tokens.mark)
      c.fillStyle = tokens.page
      c.globalAlpha = 0.45
      c.fillRect(left, top, from - left, height)
      c.fillRect(to, top, left + width - to, height)
      c.globalAlpha = 1
    }
    if (this.base >= 0) band(this.base, tokens.alarm)
    c.restore()
  }

  private listen(plot: uPlot) {
    const { over } = plot
    const to = (event: PointerEvent) => {
      const cycle = plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x')
      const window = Math.floor(cycle / run.window_cycles)
      this.pick(Math.max(0, Math.min(run.windows - 1, window)))
    }
    over.addEventListener('pointerdown', event => {
      over.setPointerCapture(event.pointerId)
      to(event)
    })
    over.addEventListener('pointermove', event => event.buttons & 1 && to(event))
  }
}
