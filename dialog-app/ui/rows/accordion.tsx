import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './accordion.module.css'

type AccordionProps = { summary: string; children: ReactNode }

export const Accordion = ({ summary, children }: AccordionProps) => (
  <details className={styles.accordion}>
    <summary className={styles.summary}>
      {summary}
      <span className={styles.mark}>
        <Icon name="expand" />
      </span>
    </summary>
    <div className={styles.body}>{children}</div>
  </details>
)
