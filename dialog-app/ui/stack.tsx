import type { ReactNode } from 'react'
import styles from './stack.module.css'

/** The vertical layout of a screen. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>
export const Heading = ({ children }: { children: ReactNode }) => (
  <div className={styles.heading}>{children}</div>
)
export const Note = ({ children }: { children: ReactNode }) => <div className={styles.note}>{children}</div>
/** The step of a wizard, above its title. */
export const StepCount = ({ children }: { children: string }) => <p className={styles.steps}>{children}</p>

/** The actions of a screen. They stay visible while the content scrolls below them. */
export const Foot = ({ children }: { children: ReactNode }) => (
  <div className={styles.foot} data-part="foot">
    {children}
  </div>
)
