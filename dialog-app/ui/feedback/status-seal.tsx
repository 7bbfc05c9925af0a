import type { ReactNode } from 'react'
import styles from './status-seal.module.css'

type StatusSealProps = {
  /** `stopped`: the user cancelled on purpose, so nothing failed. */
  status: 'waiting' | 'done' | 'failed' | 'stopped'
  /** An icon inside the ring while it waits. */
  children?: ReactNode
}

/** An animated status mark, hidden from assistive technology because the title has the same meaning. */
export const StatusSeal = ({ status, children }: StatusSealProps) => (
  <div className={styles.seal} data-status={status} aria-hidden="true">
    <svg className={styles.ring} viewBox="0 0 88 88" aria-hidden="true">
      <circle className={styles.track} cx="44" cy="44" r="42" />
      {status === 'waiting' ? (
        <path className={styles.arc} d="M44 2a42 42 0 0 1 42 42" />
      ) : (
        <circle className={styles.closed} cx="44" cy="44" r="42" pathLength="1" />
      )}
    </svg>
    <div className={styles.face}>
      {status === 'waiting' && children}
      {status === 'done' && (
        <svg className={styles.sign} viewBox="0 0 40 40" aria-hidden="true">
          <path d="m10.5 20.5 6.5 6.5L30 13.5" pathLength="1" />
        </svg>
      )}
      {status === 'stopped' && (
        <svg className={styles.sign} viewBox="0 0 40 40" aria-hidden="true">
          <path d="M12 20h16" pathLength="1" />
        </svg>
      )}
      {status === 'failed' && (
        <svg className={styles.sign} viewBox="0 0 40 40" aria-hidden="true">
          <path d="M20 10.5v12" pathLength="1" />
          <path className={styles.dot} d="M20 29.5h.01" />
        </svg>
      )}
    </div>
  </div>
)
