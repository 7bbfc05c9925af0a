import type { ReactNode } from 'react'
import styles from './facts.module.css'

type FactProps = { term: string; children: ReactNode }

/** A list of terms and values. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>
export const Fact = ({ term, children }: FactProps) => (
  <div className={styles.fact}>
    <dt className={styles.term}>{term}</dt>
    <dd className={styles.value}>{children}</dd>
  </div>
)
