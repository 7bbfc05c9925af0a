import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './code-line.module.css'

type CodeLineProps = {
  /** Which the field is described by. */
  id: string
  problem: string | undefined
  /** How the code fares, where nothing is wrong with it. */
  said: ReactNode
  children: ReactNode
}

/** Under the digits of a code: what is wrong with them, and the way to another code. */
export const CodeLine = ({ id, problem, said, children }: CodeLineProps) => (
  <div className={styles.line}>
    <span className={problem === undefined ? undefined : styles.problem} id={id} aria-live="polite">
      {problem ?? said}
    </span>
    {children}
  </div>
)

export const CodeSent = ({ children }: { children: string }) => (
  <span className={styles.sent} role="status">
    <Icon name="check" size={16} />
    {children}
  </span>
)
