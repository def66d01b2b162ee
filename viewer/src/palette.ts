// Color scales of 256 steps, interpolated in OKLab so that equal steps look equal. The low end is the
// page's own surface: a PE that does nothing recedes.
export type Theme = 'light' | 'dark'

const stops = {
  dark: ['#141a22', '#27305f', '#5a3a8e', '#a83f78', '#e4604e', '#f8a34a', '#fde08a', '#fffbe8'],
  light: ['#eef1f5', '#fbe3b4', '#f8bd72', '#ee8150', '#cf4a55', '#963068', '#552164', '#1f123f'],
  darkDifference: ['#7cd0ff', '#3b82d6', '#24406e', '#141a22', '#6e3a24', '#d9773a', '#ffc27c'],
  lightDifference: ['#123f78', '#3b82c4', '#a9cbe8', '#eef1f5', '#f3c7a2', '#d9773a', '#7c3210'],
}

type Triple = [number, number, number]

const toLinear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const toGamma = (c: number) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055)
const toByte = (c: number) => Math.round(255 * Math.max(0, Math.min(1, toGamma(c))))

function oklabOf(hex: string): Triple {
  const [r, g, b] = [1, 3, 5].map(i => toLinear(parseInt(hex.slice(i, i + 2), 16) / 255)) as Triple
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function rgbOf([L, a, b]: Triple): Triple {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/// 256 colors as the words of an ImageData, little-endian: red is the lowest byte.
export function scaleOf(theme: Theme, difference: boolean): Uint32Array {
  const all = stops[difference ? (`${theme}Difference` as const) : theme].map(oklabOf)
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (all.length - 1)
    const low = Math.min(all.length - 2, Math.floor(at))
    const part = at - low
    const [from, to] = [all[low]!, all[low + 1]!]
    const [r, g, b] = rgbOf(from.map((v, n) => v + part * (to[n]! - v)) as Triple)
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0
  })
}

export const cssOf = (word: number) => `rgb(${word & 255} ${(word >> 8) & 255} ${(word >> 16) & 255})`

/// Whether light text is read on it.
export const isDark = (word: number) =>
  (word & 255) * 0.3 + ((word >> 8) & 255) * 0.59 + ((word >> 16) & 255) * 0.11 < 140

const names = ['page', 'card', 'text', 'soft', 'line', 'mark', 'arrow', 'alarm', 'computing',
  'moving', 'waits_data', 'waits_room', 'idle'] as const
export type Tokens = Record<(typeof names)[number], string>

/// The style sheet's colors, for canvases.
export function tokens(): Tokens {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(
    names.map(name => [name, style.getPropertyValue(`--${name}`).trim()])) as Tokens
}
