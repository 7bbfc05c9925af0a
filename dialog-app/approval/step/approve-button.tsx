import { approvalLimits } from '@latchkey/protocol'
import type { Gate } from '@latchkey/protocol/browser'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId } from 'react'
import base from '../../ui/base.module.css'
import styles from '../../ui/button.module.css'
import { classNames } from '../../ui/class-names.ts'
import { useLate } from '../../ui/feedback/late.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import own from './approve-button.module.css'

export type ApproveWords = {
  covered: string
  unreadable: string
  arming: string
  armed: string
  again: string
}

type ApproveButtonProps = {
  ref: RefObject<HTMLButtonElement | null>
  gate: Gate
  children: ReactNode
  /** The label while the button works. */
  busy: string | false
  isDanger?: boolean
  words: ApproveWords
}

/**
 * The approve button. It stays focusable while disabled, announces its state, and shows a progress line while the
 * user must wait. All labels share one grid cell, because a change of the card's size or position would disarm it.
 */
export function ApproveButton({ ref, gate, children, busy, isDanger, words }: ApproveButtonProps) {
  const { state, asks } = gate
  const isArmed = armed.includes(state)
  const isBusy = busy !== false
  const showsProgress = useLate(isBusy)
  const obstacle = obstacles[state]
  const noteId = useId()

  useEffect(() => {
    if (asks) ref.current?.focus({ preventScroll: true })
  }, [asks, ref])

  return (
    <>
      {obstacle && (
        <Banner kind="warning" id={noteId}>
          {words[obstacle]}
        </Banner>
      )}
      <div className={base.unseen} role="status" id={obstacle ? undefined : noteId}>
        {!isBusy && !obstacle && (isArmed ? words[asks ? 'again' : 'armed'] : words.arming)}
      </div>
      <button
        ref={ref}
        type="button"
        className={classNames(
          base.control,
          styles.button,
          own.approve,
          isArmed || isBusy ? (isDanger ? own.danger : styles.primary) : own.unready,
        )}
        aria-disabled={!isArmed || isBusy || undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={isArmed || isBusy ? undefined : noteId}
        data-gate={state}
      >
        <Label isShown={!showsProgress && !asks}>{children}</Label>
        <Label isShown={!showsProgress && asks}>{words.again}</Label>
        {isBusy && (
          <Label isShown={showsProgress} mark={<Spinner />}>
            {busy}
          </Label>
        )}
        {!isBusy && (state === 'arming' || state === 'settling') && (
          <span key={gate.sinceMs} className={own.wait} style={waits[state]} />
        )}
      </button>
    </>
  )
}

const armed: readonly Gate['state'][] = ['armed', 'settling', 'ready']

const obstacles: { readonly [state in Gate['state']]?: keyof ApproveWords } = {
  hidden: 'covered',
  unreadable: 'unreadable',
}

const waits: { [state in 'arming' | 'settling']: CSSProperties } = {
  arming: { animationDuration: `${approvalLimits.seenMs}ms` },
  settling: { animationDuration: `${approvalLimits.restMs}ms` },
}

type LabelProps = { isShown: boolean; mark?: ReactNode; children: ReactNode }
const Label = ({ isShown, mark, children }: LabelProps) => (
  <span className={styles.label} data-shown={isShown} aria-hidden={!isShown || undefined}>
    {mark}
    <bdi>{children}</bdi>
  </span>
)
