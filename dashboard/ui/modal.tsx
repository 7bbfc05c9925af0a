import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

type ModalProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** A control at the start of the row of buttons. */
  aside?: ReactNode
  buttons: ReactNode
  /** Leaves room for a table. */
  isWide?: boolean
}

/** A dialog above the screen: focus is trapped and returned, Escape closes. */
export const Modal = ({
  isOpen,
  onOpenChange,
  title,
  description,
  children,
  aside,
  buttons,
  isWide = false,
}: ModalProps) => (
  <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <Dialog.Backdrop className={styles.backdrop} />
      <Dialog.Popup className={`${styles.popup} ${isWide ? styles.wide : ''}`}>
        <Dialog.Title className={styles.title}>{title}</Dialog.Title>
        {description !== undefined && (
          <Dialog.Description className={styles.description}>{description}</Dialog.Description>
        )}
        {children}
        <div className={styles.buttons}>
          {aside !== undefined && <div className={styles.start}>{aside}</div>}
          {buttons}
        </div>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
