// The map as a picture, its numbers as CSV.
import { tokens } from './palette'
import type { Shade } from './palette'
import { run } from './run'

function download(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

const fileName = (suffix: string) =>
  `${run.name.replace(/\.weft$/, '').replace(/[^\w.-]+/g, '_') || 'run'}${suffix}`

/// The map as it is on the screen, with its title and its scale.
export function savePicture(map: HTMLCanvasElement, title: string, ends: string[],
  { css }: Shade) {
  const d = devicePixelRatio, colors = tokens(), top = 56
  const picture = document.createElement('canvas')
  picture.width = map.width
  picture.height = map.height + top * d
  const c = picture.getContext('2d')!
  c.fillStyle = colors.page
  c.fillRect(0, 0, picture.width, picture.height)
  c.drawImage(map, 0, top * d)
  c.scale(d, d)
  const right = picture.width / d - 20, wide = Math.min(256, right - 20)
  c.fillStyle = colors.text
  c.font = '600 14px system-ui, sans-serif'
  c.fillText(title, 20, 26, Math.max(60, right - wide - 40))
  for (let i = 0; i < wide; ++i) {
    c.fillStyle = css[Math.round((i / wide) * 255)]!
    c.fillRect(right - wide + i, 14, 1.5, 12)
  }
  c.fillStyle = colors.soft
  c.font = '11px system-ui, sans-serif'
  ends.forEach((end, n) => {
    c.textAlign = (['left', 'center', 'right'] as const)[n]!
    c.fillText(end, right - wide + (wide * n) / 2, 42)
  })
  picture.toBlob(blob => blob && download(fileName('.png'), blob))
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/// A line for each PE.
export function saveCsv(values: Float32Array, title: string) {
  const lines = [`x,y,${quoted(title)}`]
  values.forEach((value, pe) =>
    lines.push(`${pe % run.width},${Math.floor(pe / run.width)},${Number(value.toPrecision(7))}`))
  download(fileName('.csv'), new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }))
}
