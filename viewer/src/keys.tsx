// Keys, and the page that shows them.
import { useEffect, useRef } from 'preact/hooks'

export interface Key { key: string; shown?: string; what?: string; act: () => void }

/// Calls what a key is for, unless somebody types.
export function useKeys(keys: Key[]) {
  const last = useRef(keys)
  last.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches('input, select')) return
      if (event.key === ' ' && target.matches('button')) return // it presses the button
      const found = last.current.find(({ key }) => key === event.key)
      if (!found) return
      event.preventDefault()
      found.act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

export const Help = ({ keys, close }: { keys: Key[]; close: () => void }) => (
  <div class="help" onClick={close}>
    <div role="dialog" aria-label="Keys">
      <h2>Keys</h2>
      <table><tbody>{keys.filter(({ what }) => what).map(({ key, shown, what }) => (
        <tr><td><kbd>{shown ?? key}</kbd></td><td>{what}</td></tr>
      ))}</tbody></table>
      <p class="note">Drag the map to move it, turn the wheel to zoom, click a PE to see what it did.</p>
    </div>
  </div>
)
