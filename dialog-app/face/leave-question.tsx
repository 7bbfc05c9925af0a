import { useId, useLayoutEffect, useRef } from 'react'
import type { LeaveWords } from '../core/screen.ts'
import { Button } from '../ui/button.tsx'
import styles from './leave-question.module.css'

export type LeaveQuestionProps = {
  readonly words: LeaveWords
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Native and modal: what lies behind is inert, Escape stays, and closing gives the focus back to where it was. */
export function LeaveQuestion({ words, onStay, onLeave }: LeaveQuestionProps) {
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
        {words.title}
      </p>
      <p className={styles.detail} id={`${id}-detail`}>
        {words.detail}
      </p>
      <Button onPress={() => question.current?.close()}>{words.stay}</Button>
      <Button kind="quiet" onPress={onLeave}>
        {words.leave}
      </Button>
    </dialog>
  )
}
