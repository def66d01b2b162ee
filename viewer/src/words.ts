// Numbers as texts.
export const number = (n: number) => Math.round(n).toLocaleString('en-US')

export function percent(share: number): string {
  const of100 = 100 * share
  const digits = of100 === 0 || Math.abs(of100) >= 99.95 ? 0 : Math.abs(of100) >= 0.095 ? 1 : 2
  return `${of100.toFixed(digits)} %`
}

/// A number of the map.
export function amount(value: number, share: boolean, difference: boolean): string {
  const text = share ? percent(Math.abs(value)) : number(Math.abs(value))
  return difference ? (value < 0 ? '−' : value > 0 ? '+' : '') + text : text
}

export const short = (n: number) =>
  n >= 1e9 ? `${n / 1e9}G` : n >= 1e6 ? `${n / 1e6}M` : n >= 1e3 ? `${n / 1e3}k` : `${n}`
