import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import styles from './small-dialog.module.css'

type SmallDialogProps = {
  role: 'dialog' | 'alertdialog'
  words: { title: string; detail: string }
  onClose: () => void
  children: (close: () => void) => ReactNode
}

/** A native modal dialog: the card behind it is inert, Escape closes it, and the previous focus is restored. */
export function SmallDialog({ role, words, onClose, children }: SmallDialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-detail`}
      onClose={onClose}
      // Escape closes this, and not the card behind it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <p className={styles.title} id={`${id}-title`}>
        {words.title}
      </p>
      <p className={styles.detail} id={`${id}-detail`}>
        {words.detail}
      </p>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
