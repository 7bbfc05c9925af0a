import type { ReactNode } from 'react'
import styles from './stack.module.css'

/** The parts of a screen, one below the other. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>
export const Heading = ({ children }: { children: ReactNode }) => (
  <div className={styles.heading}>{children}</div>
)
export const Note = ({ children }: { children: ReactNode }) => <div className={styles.note}>{children}</div>
/** Where a wizard stands, above its title. */
export const StepCount = ({ children }: { children: string }) => <p className={styles.steps}>{children}</p>

/** What there is to press: it stays within the window, and what is to be read before scrolls under it. */
export const Foot = ({ children }: { children: ReactNode }) => (
  <div className={styles.foot} data-part="foot">
    {children}
  </div>
)
