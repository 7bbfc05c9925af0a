import type { ReactNode } from 'react'
import styles from './foot.module.css'

/** What there is to press: it stays within the window, and what is to be read before scrolls under it. */
export const Foot = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.foot} data-part="foot">
    {children}
  </div>
)
