// Small parts of panels.
import type { ComponentChildren } from 'preact'
import { percent } from './words'

export const Bar = ({ share, kind = 'mark' }: { share: number; kind?: string }) => (
  <span class="bar">
    <i style={{ width: `${100 * Math.min(1, share)}%`, background: `var(--${kind})` }} />
  </span>
)

export interface Part { id: string; name: string; share: number }

export const Stack = ({ parts }: { parts: Part[] }) => (
  <div class="stack">
    {parts.map(({ id, name, share }) => (
      <i title={`${name} ${percent(share)}`}
        style={{ width: `${share * 100}%`, background: `var(--${id})` }} />
    ))}
  </div>
)

export const Legend = ({ parts }: { parts: Part[] }) => (
  <ul class="legend">
    {parts.map(({ id, name, share }) => (
      <li><i style={{ background: `var(--${id})` }} />{name}<b>{percent(share)}</b></li>
    ))}
  </ul>
)

export const Section = (props: { title: string; note?: string; children: ComponentChildren }) => (
  <section>
    <h2>{props.title}{props.note ? <em>{props.note}</em> : null}</h2>
    {props.children}
  </section>
)
