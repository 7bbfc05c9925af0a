import type { ReactNode } from 'react'
import styles from './group.module.css'

/** What there is to choose from, fields and rows, in its own room; groups that follow each other in it are one. */
export const OptionList = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.list}>{children}</div>
)
