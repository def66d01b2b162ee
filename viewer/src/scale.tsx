// The color scale with the values' histogram, and two handles for its range.
import { useEffect, useRef } from 'preact/hooks'
import { tokens } from './palette'
import type { Shade } from './palette'
import { amount } from './words'

export type Range = readonly [low: number, high: number]

interface Shown {
  values: Float32Array
  full: number // what the widget shows at most
  range: Range
  shade: Shade
  share: boolean
  difference: boolean
  set: (range: Range | null) => void // null: as it is by itself
}

const width = 260, high = 22, bins = 65

function histogram({ values, full, difference }: Shown): Float64Array {
  const counts = new Float64Array(bins)
  for (const value of values) {
    const at = difference ? (value / full + 1) / 2 : value / full
    ++counts[Math.max(0, Math.min(bins - 1, Math.floor(at * bins)))]!
  }
  return counts
}

function draw(canvas: HTMLCanvasElement, shown: Shown) {
  const c = canvas.getContext('2d')!, { shade, full, range: [low, top], difference } = shown
  c.setTransform(canvas.width / width, 0, 0, canvas.width / width, 0, 0)
  c.clearRect(0, 0, width, high + 12)
  const roots = histogram(shown).map(Math.sqrt), most = Math.max(1, ...roots)
  c.fillStyle = tokens().soft
  c.globalAlpha = 0.55
  roots.forEach((root, n) => {
    const bar = (root / most) * (high - 2)
    c.fillRect((n * width) / bins, high - bar, width / bins - 1, bar)
  })
  c.globalAlpha = 1
  for (let x = 0; x < width; ++x) {
    const value = difference ? ((2 * x) / width - 1) * full : (x / width) * full
    const part = difference ? (value / top + 1) / 2 : (value - low) / Math.max(1e-12, top - low)
    c.fillStyle = shade.css[Math.max(0, Math.min(255, Math.round(part * 255)))]!
    c.fillRect(x, high + 2, 1.5, 10)
  }
}

export function Scale(shown: Shown) {
  const canvas = useRef<HTMLCanvasElement>(null), box = useRef<HTMLDivElement>(null)
  const { full, range: [low, top], share, difference, set } = shown
  useEffect(() => draw(canvas.current!, shown))
  const x = (value: number) => `${100 * (difference ? (value / full + 1) / 2 : value / full)}%`
  const handle = (end: 0 | 1) => {
    const value = end ? top : low
    const move = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return
      const { left, width: wide } = box.current!.getBoundingClientRect()
      const part = Math.max(0, Math.min(1, (event.clientX - left) / wide))
      const to = difference ? Math.max(0.01, 2 * part - 1) * full : part * full
      const least = full / 100
      set(end ? [low, Math.max(low + least, to)] : [Math.max(0, Math.min(top - least, to)), top])
    }
    const key = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (!by) return
      event.stopPropagation()
      event.preventDefault()
      const to = Math.max(full / 50, Math.min(full, value + (by * full) / 50))
      set(end ? [low, Math.max(low + full / 100, to)] : [Math.max(0, Math.min(top - full / 100, value + (by * full) / 50)), top])
    }
    return (
      <i class="handle" role="slider" tabIndex={0} aria-label={end ? 'Top of the scale' : 'Low end'}
        aria-valuenow={value} style={{ left: x(value) }} onPointerMove={move} onKeyDown={key}
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)} />
    )
  }
  const word = (value: number) => amount(value, share, difference)
  return (
    <div class="scale" title="Drag the ends; a double click sets them back"
      onDblClick={() => set(null)}>
      <div class="bars" ref={box}>
        <canvas ref={canvas} width={2 * width} height={2 * (high + 12)} />
        {difference ? null : handle(0)}
        {handle(1)}
      </div>
      <div class="ends">
        <span>{difference ? word(-full) : word(0)}</span>
        <span>{difference ? 'same' : word(full / 2)}</span><span>{word(full)}</span>
      </div>
    </div>
  )
}
