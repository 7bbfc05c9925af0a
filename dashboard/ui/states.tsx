import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './states.module.css'

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.state}>
    <p className={styles.title}>{title}</p>
    {children !== undefined && <p>{children}</p>}
  </div>
)

/** A message about a failed call. */
export const Problem = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert" className={styles.problem}>
      {error.message}
    </p>
  )

export const Loading = () => (
  <div className={`${styles.state} ${styles.loading}`} role="status">
    Loading
  </div>
)

export type Loadable<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>

/** Shows the data of a query, or why there is none. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: Loadable<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null) return <Loading />
  return (
    <div className={styles.state}>
      <Problem error={error} />
      <Button onClick={() => refetch()}>Try again</Button>
    </div>
  )
}

type Tone = 'good' | 'bad' | 'warning' | 'plain'

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`${styles.badge} ${styles[tone] ?? ''}`}>{children}</span>
)

const formats = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A time in the operator's time zone, with the exact one in its tooltip. */
export const Time = ({ at }: { at: string | null }) =>
  at === null ? (
    <span className={styles.muted}>never</span>
  ) : (
    <time dateTime={at} title={at}>
      {formats.format(new Date(at))}
    </time>
  )

export const Muted = ({ children }: { children: ReactNode }) => (
  <span className={styles.muted}>{children}</span>
)
