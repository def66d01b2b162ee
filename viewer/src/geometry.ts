// Where the mesh lies on the canvas: `s` pixels a PE, the mesh's corner at (x, y).
export interface Sight { s: number; x: number; y: number; fit: boolean }

export interface Span { x0: number; y0: number; x1: number; y1: number } // PEs, of which x1, y1 not

export const ruler = 34 // pixels of the rulers at the left and at the top
export const margin = 46 // of the means of rows and columns at the right and at the bottom
export const tileFrom = 24 // pixels a PE from which on PEs are tiles, without means
export const leastScale = 0.05, mostScale = 320

/// By port: west, east, south, north.
export const dx = [-1, 1, 0, 0], dy = [0, 0, 1, -1]

export function fitted(width: number, height: number, w: number, h: number): Sight {
  const [roomX, roomY] = [w - ruler - margin, h - ruler - margin]
  const s = Math.max(leastScale, Math.min(mostScale / 2, roomX / width, roomY / height))
  return { s, x: ruler + (roomX - s * width) / 2, y: ruler + (roomY - s * height) / 2, fit: true }
}
