// Around the map: rulers with places, and the means of rows and columns.
import { margin, ruler } from './geometry'
import type { Sight, Span } from './geometry'
import type { Tokens } from './palette'

export interface Margins {
  c: CanvasRenderingContext2D
  sight: Sight
  span: Span
  w: number
  h: number
  right: number // where the map ends
  bottom: number
  tokens: Tokens
}

const stepOf = (least: number) => {
  let step = 1
  while (step < least) step *= 2
  return step
}

export function drawRulers({ c, sight: { s, x, y }, span, w, h, right, bottom, tokens }: Margins) {
  const every = stepOf(46 / s), left = Math.max(ruler, x), top = Math.max(ruler, y)
  c.fillStyle = tokens.page
  c.fillRect(0, 0, w, top)
  c.fillRect(0, 0, left, h)
  c.fillStyle = tokens.soft
  c.font = '11px system-ui, sans-serif'
  c.textBaseline = 'middle'
  c.textAlign = 'center'
  for (let i = Math.ceil(span.x0 / every) * every; i < span.x1; i += every) {
    const at = x + (i + 0.5) * s
    if (at <= left || at >= right) continue
    c.fillText(`${i}`, at, top - 13)
    c.fillRect(at, top - 5, 1, 3)
  }
  c.textAlign = 'right'
  for (let j = Math.ceil(span.y0 / every) * every; j < span.y1; j += every) {
    const at = y + (j + 0.5) * s
    if (at <= top || at >= bottom) continue
    c.fillText(`${j}`, left - 8, at)
    c.fillRect(left - 5, at, 3, 1)
  }
}

/// Bars in the color of the mean; the longest mean has all the room.
export function drawMeans(m: Margins, columns: Float32Array, rows: Float32Array,
  css: (mean: number) => string) {
  const { c, sight: { s, x, y }, span, w, h, right, bottom, tokens } = m
  const left = Math.max(ruler, x), top = Math.max(ruler, y), room = margin - 14
  let most = 0
  for (const mean of [...columns, ...rows]) most = Math.max(most, Math.abs(mean))
  c.fillStyle = tokens.page
  c.fillRect(right, 0, w - right, h)
  c.fillRect(0, bottom, w, h - bottom)
  const bar = (mean: number, from: number, to: number, across: boolean) => {
    const long = most > 0 ? (Math.abs(mean) / most) * room : 0
    if (to <= from || long === 0) return
    c.fillStyle = css(mean)
    if (across) c.fillRect(right + 7, from, long, to - from)
    else c.fillRect(from, bottom + 7, to - from, long)
  }
  for (let i = span.x0; i < span.x1; ++i)
    bar(columns[i]!, Math.max(left, Math.floor(x + i * s)),
      Math.min(right, Math.ceil(x + (i + 1) * s)), false)
  for (let j = span.y0; j < span.y1; ++j)
    bar(rows[j]!, Math.max(top, Math.floor(y + j * s)),
      Math.min(bottom, Math.ceil(y + (j + 1) * s)), true)
  c.fillStyle = tokens.line
  c.fillRect(left, bottom + 5, right - left, 1)
  c.fillRect(right + 5, top, 1, bottom - top)
}
