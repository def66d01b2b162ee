// PEs close up: a tile each, links between them as bars, routes as arrows.
import { dx, dy } from './geometry'
import type { Sight, Span } from './geometry'
import { isDark } from './palette'
import type { Shade, Tokens } from './palette'

/// A route of the shown color at a PE: ports as bits, west, east, south, north, ramp.
export interface Route { from: number; to: number }

export interface Tiles {
  c: CanvasRenderingContext2D
  sight: Sight
  span: Span
  width: number
  height: number
  tokens: Tokens
  shade: Shade
  level: Uint8Array // of the scale, by PE
  linkLevel: Uint8Array[] | null // by link
  text: (pe: number) => string
  routeOf: ((x: number, y: number) => Route | null) | null
}

const ramp = 4
const shapesFrom = 44 // pixels a PE; smaller tiles and links are rectangles, which paint quickly
const placesFrom = 84, textFrom = 60, routesFrom = 30 // pixels a PE

function bar(t: Tiles, cx: number, cy: number, link: number, level: number) {
  const { c, sight: { s }, tokens, shade } = t
  const [u, v] = [dx[link]!, dy[link]!]
  const gap = s * 0.17
  const half = Math.max(1, s * 0.032)
  const side = half + s * 0.016 // two ways side by side, each to its right
  c.fillStyle = shade.css[level]!
  if (s < shapesFrom) {
    const [along, across] = [s / 2, side]
    const [long, thick] = [gap * 1.6, 2 * half]
    const [mx, my] = [cx + u * along - v * across, cy + v * along + u * across]
    return c.fillRect(mx - (u ? long : thick) / 2, my - (u ? thick : long) / 2,
      u ? long : thick, u ? thick : long)
  }
  const [from, tip] = [s / 2 - gap + s * 0.02, s / 2 + gap - s * 0.02]
  const head = tip - s * 0.09
  const corners = [[from, -half], [head, -half], [tip, 0], [head, half], [from, half]]
  c.strokeStyle = tokens.line
  c.lineWidth = 1
  c.beginPath()
  for (const [along, across] of corners)
    c.lineTo(cx + u * along! - v * (across! + side), cy + v * along! + u * (across! + side))
  c.closePath()
  c.fill()
  c.stroke()
}

function words(t: Tiles, x: number, y: number, pe: number, left: number, top: number) {
  const { c, sight: { s }, shade, level } = t
  c.fillStyle = isDark(shade.words[level[pe]!]!) ? '#ffffffe0' : '#000000d8'
  c.textAlign = 'left'
  c.textBaseline = 'alphabetic'
  const size = Math.min(13, s * 0.12)
  let at = top + s * 0.04 + size
  if (s >= placesFrom) {
    c.font = `600 ${size}px system-ui, sans-serif`
    c.fillText(`${x}, ${y}`, left + s * 0.05, at)
    at += size * 1.3
  }
  c.font = `${size}px system-ui, sans-serif`
  c.fillText(t.text(pe), left + s * 0.05, at)
}

function arrow(t: Tiles, cx: number, cy: number, route: Route, color: string, more: number) {
  const { c, sight: { s } } = t
  const reach = s * 0.24, head = s * 0.06
  c.strokeStyle = c.fillStyle = color
  c.lineWidth = Math.max(1.5, s * 0.022) + more
  for (let port = 0; port < ramp; ++port) {
    const [u, v] = [dx[port]!, dy[port]!]
    const [ex, ey] = [cx + u * reach, cy + v * reach]
    if ((route.from | route.to) & (1 << port)) {
      c.beginPath()
      c.moveTo(cx, cy)
      c.lineTo(ex, ey)
      c.stroke()
    }
    if (!(route.to & (1 << port))) continue
    c.beginPath()
    c.moveTo(ex + u * head, ey + v * head)
    c.lineTo(ex + v * head, ey + u * head)
    c.lineTo(ex - v * head, ey - u * head)
    c.closePath()
    c.fill()
    if (more) c.stroke()
  }
  const takes = route.from & (1 << ramp), gives = route.to & (1 << ramp)
  if (!takes && !gives) return
  c.beginPath()
  c.arc(cx, cy, s * (gives ? 0.045 : 0.06) + more / 2, 0, 7)
  if (gives) c.fill()
  if (takes) c.stroke()
}

function routes(t: Tiles) {
  const { sight: { s, x, y }, span, tokens } = t
  t.c.lineCap = 'round'
  for (let j = span.y0; j < span.y1; ++j)
    for (let i = span.x0; i < span.x1; ++i) {
      const route = t.routeOf!(i, j)
      if (!route) continue
      const [cx, cy] = [x + (i + 0.5) * s, y + (j + 0.6) * s]
      arrow(t, cx, cy, route, tokens.page, 3)
      arrow(t, cx, cy, route, tokens.arrow, 0)
    }
}

export function drawTiles(t: Tiles) {
  const { c, sight: { s, x, y }, span, width, height, tokens, shade, level } = t
  const gap = s * 0.17, size = s - 2 * gap, round = Math.min(10, s * 0.07)
  for (let j = span.y0; j < span.y1; ++j)
    for (let i = span.x0; i < span.x1; ++i) {
      const pe = j * width + i
      const [left, top] = [x + i * s, y + j * s]
      const has = [i > 0, i + 1 < width, j + 1 < height, j > 0]
      t.linkLevel?.forEach((link, port) => {
        if (has[port]) bar(t, left + s / 2, top + s / 2, port, link[pe]!)
      })
      c.fillStyle = shade.css[level[pe]!]!
      if (s < shapesFrom) {
        c.fillRect(left + gap, top + gap, size, size)
        continue
      }
      c.beginPath()
      c.roundRect(left + gap, top + gap, size, size, round)
      c.fill()
      c.strokeStyle = tokens.line
      c.lineWidth = 1
      c.stroke()
      if (s >= textFrom) words(t, i, j, pe, left + gap, top + gap)
    }
  if (t.routeOf && s >= routesFrom) routes(t)
}
