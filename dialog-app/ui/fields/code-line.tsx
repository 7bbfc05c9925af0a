import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './code-line.module.css'

type CodeLineProps = {
  /** The id that the field refers to with aria-describedby. */
  id: string
  problem: string | undefined
  /** The status of the code if it has no problem. */
  said: ReactNode
  children: ReactNode
}

/** The line below a code field: its problem or status, and the button for another code. */
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
