// Color scales of 256 steps. Their stops are dense, and as far from each other as they look. The low
// end is the page's own surface: a PE that does nothing recedes.
export type Theme = 'light' | 'dark'

const stops = {
  dark: ['#141a22', '#27305f', '#5a3a8e', '#a83f78', '#e4604e', '#f8a34a', '#fde08a', '#fffbe8'],
  light: ['#eef1f5', '#fbe3b4', '#f8bd72', '#ee8150', '#cf4a55', '#963068', '#552164', '#1f123f'],
  darkDifference: ['#7cd0ff', '#3b82d6', '#24406e', '#141a22', '#6e3a24', '#d9773a', '#ffc27c'],
  lightDifference: ['#123f78', '#3b82c4', '#a9cbe8', '#eef1f5', '#f3c7a2', '#d9773a', '#7c3210'],
}

const rgbOf = (hex: string) => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16))

/// 256 colors, as the words of an ImageData (little-endian: red is the lowest byte) and for styles.
export interface Shade { words: Uint32Array; css: string[] }

export function shadeOf(theme: Theme, difference: boolean): Shade {
  const all = stops[difference ? (`${theme}Difference` as const) : theme].map(rgbOf)
  const words = Uint32Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (all.length - 1)
    const low = Math.min(all.length - 2, Math.floor(at))
    const part = at - low
    const [from, to] = [all[low]!, all[low + 1]!]
    const [r, g, b] = from.map((v, n) => Math.round(v + part * (to[n]! - v))) as [number, number, number]
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0
  })
  const css = Array.from(words, w => `rgb(${w & 255} ${(w >> 8) & 255} ${(w >> 16) & 255})`)
  return { words, css }
}

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
