import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './accordion.module.css'

type AccordionProps = { readonly summary: string; readonly children: ReactNode }

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
