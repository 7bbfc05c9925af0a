import type { AdminRoute } from '@latchkey/protocol/admin'
import { type ReactNode, useEffect } from 'react'
import type { CallInput } from '../api/call.ts'
import { toCurl } from '../api/curl.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './screen.module.css'

type ScreenProps = {
  title: string
  lead?: ReactNode
  /** The call that the screen made. */
  call?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export function Screen({ title, lead, call, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Latchkey`
  }, [title])
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </div>
        <div className={styles.actions}>
          {call}
          {actions}
        </div>
      </div>
      {children}
    </div>
  )
}

export const CurlButton = <const R extends AdminRoute>({
  route,
  input,
}: {
  route: R
  input: CallInput<R>
}) => <CopyButton label="Copy as curl" text={toCurl(route, input as CallInput, location.origin)} />

type CardProps = { title?: string; actions?: ReactNode; isPadded?: boolean; children: ReactNode }

export const Card = ({ title, actions, isPadded = false, children }: CardProps) => (
  <section className={styles.card} aria-label={title}>
    {title !== undefined && (
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        <div className={styles.actions}>{actions}</div>
      </div>
    )}
    {isPadded ? <div className={styles.body}>{children}</div> : children}
  </section>
)

export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {rows.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
