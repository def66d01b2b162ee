// The mesh on a canvas: from afar an image of a pixel a PE, close up tiles.
import { fitted, leastScale, margin, mostScale, ruler, tileFrom } from './geometry'
import type { Sight, Span } from './geometry'
import { drawMeans, drawRulers } from './margins'
import type { Margins } from './margins'
import type { Shade, Tokens } from './palette'
import type { Arrow, Place } from './run'
import { drawTiles } from './tiles'
import type { Tiles } from './tiles'

/// What is shown.
export interface Scene {
  values: Float32Array
  links: Float32Array[] | null // for tiles
  low: number // of the scale
  high: number
  difference: boolean
  shade: Shade
  tokens: Tokens
  selected: Place | null
  text: Tiles['text']
  routeOf: Tiles['routeOf']
  arrows: Arrow[] // who waits for whom, or the critical path
}

export interface Events {
  select: (place: Place | null) => void
  hover: (place: Place | null, at: { left: number; top: number }) => void
  tiles: (shown: boolean) => void // whether there are tiles now
}

/// A step of the scale: 0 only for what is not above its low end.
function leveller({ low, high, difference }: Scene): (value: number) => number {
  const by = 255 / Math.max(1e-12, high - low)
  if (difference)
    return value => Math.max(0, Math.min(255, Math.round(127.5 + (value * 127.5) / high)))
  return value =>
    value <= low ? 0 : Math.max(1, Math.min(255, Math.round((value - low) * by)))
}

export class Heat {
  took = 0 // ms of the last paint
  private sight: Sight | null = null
  private scene: Scene | null = null
  private hovered: Place | null = null
  private w = 0
  private h = 0
  private due = 0
  private tiles = false
  private readonly image: HTMLCanvasElement
  private readonly pixels: ImageData
  private readonly words: Uint32Array
  private readonly level: Uint8Array
  private linkLevel: Uint8Array[] | null = null
  private readonly columns: Float32Array
  private readonly rows: Float32Array

  constructor(readonly canvas: HTMLCanvasElement, private readonly width: number,
    private readonly height: number, private readonly on: Events) {
    this.image = document.createElement('canvas')
    this.image.width = width
    this.image.height = height
    this.pixels = new ImageData(width, height)
    this.words = new Uint32Array(this.pixels.data.buffer)
    this.level = new Uint8Array(width * height)
    this.columns = new Float32Array(width)
    this.rows = new Float32Array(height)
    this.listen()
    new ResizeObserver(() => this.resize()).observe(canvas)
  }

  show(scene: Scene) {
    this.scene = scene
    const level = leveller(scene), { values, shade: { words } } = scene
    this.columns.fill(0)
    this.rows.fill(0)
    for (let y = 0, pe = 0; y < this.height; ++y)
      for (let x = 0; x < this.width; ++x, ++pe) {
        this.words[pe] = words[(this.level[pe] = level(values[pe]!))]!
        this.columns[x] = this.columns[x]! + values[pe]! / this.height
        this.rows[y] = this.rows[y]! + values[pe]! / this.width
      }
    this.image.getContext('2d')!.putImageData(this.pixels, 0, 0)
    this.linkLevel = scene.links?.map(link => Uint8Array.from(link, level)) ?? null
    this.draw()
  }

  fit() {
    if (!this.w) return
    this.sight = fitted(this.width, this.height, this.w, this.h)
    this.draw()
  }

  zoom(factor: number, px = this.w / 2, py = this.h / 2) {
    const { s: before, x, y } = this.sight!
    const s = Math.max(leastScale, Math.min(mostScale, before * factor)), by = s / before
    this.sight = { s, x: px - (px - x) * by, y: py - (py - y) * by, fit: false }
    this.draw()
  }

  pan(x: number, y: number) {
    this.sight = { ...this.sight!, x: this.sight!.x + x, y: this.sight!.y + y, fit: false }
    this.draw()
  }

  /// Brings a PE to the middle, as a tile.
  go(place: Place, least = 64) {
    if (!this.sight) return
    const s = Math.max(this.sight.s, least)
    const at = (room: number, pes: number, pe: number) => { // at an edge nothing is left empty
      const middle = (room + ruler) / 2 - (pe + 0.5) * s
      const last = room - 8 - pes * s
      return last > ruler ? (ruler + room - pes * s) / 2 : Math.max(last, Math.min(ruler + 8, middle))
    }
    this.sight = { s, fit: false, x: at(this.w, this.width, place.x),
      y: at(this.h, this.height, place.y) }
    this.draw()
  }

  draw() {
    cancelAnimationFrame(this.due)
    this.due = requestAnimationFrame(() => this.paint())
  }

  private resize() {
    const { width, height } = this.canvas.getBoundingClientRect()
    this.w = width
    this.h = height
    this.canvas.width = Math.round(width * devicePixelRatio)
    this.canvas.height = Math.round(height * devicePixelRatio)
    if (!this.sight || this.sight.fit) this.fit()
    this.draw()
  }

  /// The PEs that are on the canvas.
  private visible(): Span {
    const { s, x, y } = this.sight!
    return {
      x0: Math.max(0, Math.floor((ruler - x) / s)), y0: Math.max(0, Math.floor((ruler - y) / s)),
      x1: Math.min(this.width, Math.ceil((this.w - x) / s)),
      y1: Math.min(this.height, Math.ceil((this.h - y) / s)),
    }
  }

  paint() {
    const { scene, sight } = this
    if (!scene || !sight || !this.w) return
    const began = performance.now(), { s, x, y } = sight, span = this.visible()
    const tiles = s >= tileFrom
    if (tiles !== this.tiles) this.on.tiles((this.tiles = tiles))
    const means = tiles ? 0 : margin
    const c = this.canvas.getContext('2d', { alpha: false })!
    const around: Margins = { c, sight, span, w: this.w, h: this.h, tokens: scene.tokens,
      right: Math.min(this.w - means, x + s * this.width),
      bottom: Math.min(this.h - means, y + s * this.height) }
    c.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    c.fillStyle = scene.tokens.page
    c.fillRect(0, 0, this.w, this.h)
    if (span.x1 > span.x0 && span.y1 > span.y0) {
      c.save()
      c.beginPath()
      c.rect(ruler, ruler, around.right - ruler, around.bottom - ruler)
      c.clip()
      if (tiles) this.paintTiles(c, scene, sight, span)
      else this.paintImage(c, sight, span)
      this.paintMarks(c, scene, sight)
      c.restore()
    }
    drawRulers(around)
    const level = leveller(scene)
    if (!tiles) drawMeans(around, this.columns, this.rows, mean => scene.shade.css[level(mean)]!)
    this.took = performance.now() - began
  }

  private paintImage(c: CanvasRenderingContext2D, { s, x, y }: Sight, span: Span) {
    const [w, h] = [span.x1 - span.x0, span.y1 - span.y0]
    c.imageSmoothingEnabled = s < 1
    c.drawImage(this.image, span.x0, span.y0, w, h, x + span.x0 * s, y + span.y0 * s, w * s, h * s)
  }

  private paintTiles(c: CanvasRenderingContext2D, scene: Scene, sight: Sight, span: Span) {
    drawTiles({ c, sight, span, width: this.width, height: this.height, tokens: scene.tokens,
      shade: scene.shade, level: this.level, linkLevel: this.linkLevel, text: scene.text,
      routeOf: scene.routeOf })
  }

  private paintMarks(c: CanvasRenderingContext2D, { tokens, selected, arrows }: Scene,
    { s, x, y }: Sight) {
    const frame = (place: Place, color: string, width: number) => {
      const more = Math.max(0, 3 - s / 2)
      c.strokeStyle = color
      c.lineWidth = width
      c.strokeRect(x + place.x * s - more, y + place.y * s - more, s + 2 * more, s + 2 * more)
    }
    const middle = (place: Place) => [x + (place.x + 0.5) * s, y + (place.y + 0.5) * s] as const
    for (const { from, to, first } of arrows) {
      const [ax, ay] = middle(from), [bx, by] = middle(to)
      const long = Math.hypot(bx - ax, by - ay)
      if (first) frame(from, tokens.alarm, 2)
      if (long === 0) continue
      const head = Math.min(9, Math.max(4, s * 0.12)), [u, v] = [(bx - ax) / long, (by - ay) / long]
      const [ex, ey] = [bx - u * s * 0.2, by - v * s * 0.2]
      for (const [color, more] of // around it the page's color, to be seen on any tile
        [[tokens.page, 3], [first ? tokens.alarm : tokens.text, 0]] as const) {
        c.strokeStyle = c.fillStyle = color
        c.lineWidth = (first ? 2 : 1.2) + more
        c.beginPath()
        c.moveTo(ax, ay)
        c.lineTo(ex, ey)
        c.stroke()
        c.beginPath()
        c.moveTo(ex + u * head, ey + v * head)
        c.lineTo(ex - v * head * 0.6, ey + u * head * 0.6)
        c.lineTo(ex + v * head * 0.6, ey - u * head * 0.6)
        c.closePath()
        c.fill()
        if (more) c.stroke()
      }
    }
    if (this.hovered) frame(this.hovered, tokens.text, 1)
    if (!selected) return
    const [cx, cy] = middle(selected)
    c.strokeStyle = tokens.mark
    c.lineWidth = 1
    c.globalAlpha = 0.55
    c.setLineDash([3, 4])
    c.beginPath()
    c.moveTo(ruler, cy)
    c.lineTo(this.w, cy)
    c.moveTo(cx, ruler)
    c.lineTo(cx, this.h)
    c.stroke()
    c.globalAlpha = 1
    c.setLineDash([])
    frame(selected, tokens.mark, 2)
  }

  private placeAt(event: MouseEvent): Place | null {
    if (!this.sight) return null
    const { left, top } = this.canvas.getBoundingClientRect(), { s, x, y } = this.sight
    const place = { x: Math.floor((event.clientX - left - x) / s),
      y: Math.floor((event.clientY - top - y) / s) }
    const inside = place.x >= 0 && place.y >= 0 && place.x < this.width && place.y < this.height
    return inside ? place : null
  }

  private listen() {
    const { canvas } = this
    let from: { x: number; y: number; moved: boolean } | null = null
    canvas.addEventListener('wheel', event => {
      event.preventDefault()
      const { left, top } = canvas.getBoundingClientRect()
      const lines = event.deltaMode === 1 ? 16 : 1 // Firefox may count lines
      this.zoom(Math.exp((-event.deltaY * lines) / 320), event.clientX - left, event.clientY - top)
    }, { passive: false })
    canvas.addEventListener('pointerdown', event => {
      from = { x: event.clientX, y: event.clientY, moved: false }
      canvas.setPointerCapture(event.pointerId)
    })
    canvas.addEventListener('pointermove', event => {
      if (from) {
        const [x, y] = [event.clientX - from.x, event.clientY - from.y]
        if (from.moved || Math.abs(x) + Math.abs(y) > 3) {
          from = { x: event.clientX, y: event.clientY, moved: true }
          this.pan(x, y)
        }
      }
      const place = this.placeAt(event)
      if (place?.x !== this.hovered?.x || place?.y !== this.hovered?.y) {
        this.hovered = place
        this.draw()
      }
      this.on.hover(place, { left: event.clientX, top: event.clientY })
    })
    canvas.addEventListener('pointerup', event => {
      if (from && !from.moved) this.on.select(this.placeAt(event))
      from = null
    })
    canvas.addEventListener('pointercancel', () => (from = null))
    canvas.addEventListener('pointerleave', () => {
      this.hovered = null
      this.on.hover(null, { left: 0, top: 0 })
      this.draw()
    })
    canvas.addEventListener('dblclick', event => {
      const place = this.placeAt(event)
      if (place) this.go(place, 128)
    })
  }
}
