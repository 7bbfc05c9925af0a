import { type ReactNode, useEffect } from 'react'
import { useCard } from './card.ts'
import styles from './title.module.css'

/** Names the dialog: takes the focus where a screen has no field, and is said aloud when it changes. */
export function Title({ children }: { readonly children: string }) {
  const { titleId, announce } = useCard()
  useEffect(() => announce(children), [children, announce])
  return (
    <h2 className={styles.title} id={titleId} tabIndex={-1}>
      {children}
    </h2>
  )
}

export const Lead = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.lead}>{children}</p>
)
