import { useId, useLayoutEffect, useRef } from 'react'
import type { ScreenView } from '../flows/view-state.ts'
import { useText } from '../i18n/context.tsx'
import { Button } from '../ui/button.tsx'
import styles from './leave-question.module.css'

/** Where a stray key or click would cost something: a code is on its way, and a new login needs a new one. */
export const wouldLoseWork = (screen: ScreenView | undefined) =>
  screen?.name === 'AWAITING_PASSWORDLESS_CODE' && screen.state.status !== 'done'

type LeaveQuestionProps = { readonly onStay: () => void; readonly onLeave: () => void }

/** Native and modal: what lies behind is inert, Escape stays, and closing gives the focus back to where it was. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const { shell } = useText()
  const id = useId()
  const question = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => question.current?.showModal(), [])
  return (
    <dialog
      ref={question}
      className={styles.question}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-detail`}
      onClose={onStay}
    >
      <p className={styles.title} id={`${id}-title`}>
        {shell.leave.title}
      </p>
      <p className={styles.detail} id={`${id}-detail`}>
        {shell.leave.detail}
      </p>
      <Button onPress={() => question.current?.close()}>{shell.leave.stay}</Button>
      <Button kind="quiet" onPress={onLeave}>
        {shell.leave.leave}
      </Button>
    </dialog>
  )
}
