import type { ReactNode } from 'react'
import type { ConfirmedEvents, ShownApproval } from '../core/confirmed.ts'
import type { Send } from '../core/screen.ts'
import type { approvalEnglish } from '../i18n/approval.en.ts'
import type { Widen } from '../i18n/catalogue.ts'
import { ApproveButton } from '../ui/approve-button.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { useApprovalSenses } from './approval-senses.ts'

type ApprovalStepProps = {
  readonly shown: ShownApproval
  readonly send: Send<ConfirmedEvents>
  readonly words: Widen<typeof approvalEnglish>
  /** What the button says while what was approved is done. */
  readonly busy: string | false
  readonly children: ReactNode
}

/** What a card that asks for an approval ends in: its button, or the way to the page where that button is. */
export function ApprovalStep({ shown, send, words, busy, children }: ApprovalStepProps) {
  switch (shown.by) {
    case 'press':
      return (
        <>
          <Press shown={shown} send={send} words={words} busy={busy}>
            {children}
          </Press>
          {shown.isOwnPage && (
            <Button kind="quiet" disabled={busy !== false} onPress={() => send('refuse')}>
              {words.refuse}
            </Button>
          )}
        </>
      )
    case 'page':
      return (
        <>
          <Banner kind="info">{words.pageFor[shown.reason]}</Banner>
          <Button busy={!shown.isReady && words.preparingPage} onPress={() => send('openPage')}>
            {words.toPage}
          </Button>
        </>
      )
    default:
      return shown satisfies never
  }
}

type PressProps = Omit<ApprovalStepProps, 'shown'> & {
  readonly shown: Extract<ShownApproval, { readonly by: 'press' }>
}

/** A page of its own may be longer than its window, and lets nobody lay anything over it: its button is what counts. */
function Press({ shown: { gate, isOwnPage = false }, send, words, busy, children }: PressProps) {
  const button = useApprovalSenses((noticed) => send('notice', noticed), isOwnPage ? 'button' : 'card')
  const isBelow = isOwnPage && gate.state === 'hidden'
  return (
    <ApproveButton
      ref={button}
      gate={isBelow ? { ...gate, state: 'waiting' } : gate}
      busy={busy}
      words={words}
    >
      {children}
    </ApproveButton>
  )
}
