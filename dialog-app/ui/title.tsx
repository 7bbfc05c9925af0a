import { type ReactNode, useEffect } from 'react'
import { useCard } from './card.ts'
import styles from './title.module.css'

/** The title of the dialog and its document. It is focused on screens without a field. */
export function Title({ children }: { children: string }) {
  const { titleId } = useCard()
  useEffect(() => {
    document.title = children
  }, [children])
  return (
    <h2 className={styles.title} id={titleId} tabIndex={-1} dir="auto">
      {children}
    </h2>
  )
}

export const Lead = ({ children }: { children: ReactNode }) => (
  <p className={styles.lead} dir="auto">
    {children}
  </p>
)
