import type { Gate } from '@latchkey/protocol/browser'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Foot } from '../../ui/stack.tsx'
import { WalletButton } from '../../ui/wallet-page/wallet-button.tsx'
import type { ApprovalHandlers } from '../approval.ts'
import type { ConfirmationHandlers, PageReason, PageWay, ShownApproval } from '../confirmed.ts'
import { texts } from '../texts.arb'
import { ApproveButton } from './approve-button.tsx'
import { useGateEvents } from './gate-events.ts'

type ButtonProps = {
  /** The label while the approved action runs. */
  busy: string | false
  /** The approved action removes something permanently. */
  isDanger?: boolean
  children: ReactNode
}

type ApprovalStepProps = ButtonProps & {
  /** `given`: approved, and the action is running. */
  shown: ShownApproval | { by: 'given' }
  handlers: ConfirmationHandlers
  /** A second button, shown below. */
  other?: ReactNode
}

/** Renders the foot of an approval card: the approve button, or the button that opens the confirmation page. */
export function ApprovalStep({ shown, handlers, other, ...button }: ApprovalStepProps) {
  switch (shown.by) {
    case 'press':
    case 'given':
      return (
        <Foot>
          <ApprovalPress {...button} gate={shown.by === 'press' ? shown.gate : 'given'} handlers={handlers} />
          {other}
        </Foot>
      )
    case 'page':
      return <WayToPage reason={shown.reason} way={shown.way} handlers={handlers} other={other} />
    default:
      return shown satisfies never
  }
}

type WayToPageProps = Pick<ApprovalStepProps, 'handlers' | 'other'> & {
  reason: PageReason
  way: PageWay
}

function WayToPage({ reason, way, handlers, other }: WayToPageProps) {
  const words = useTexts(texts)
  const { opened } = words
  switch (way.at) {
    case 'preparing':
    case 'nowhere':
      return (
        <>
          <Banner kind="info">{words.pageFor[reason]}</Banner>
          <Foot>
            <Button busy={way.at === 'preparing' && words.preparingPage} onPress={handlers.explainPage}>
              {words.toPage}
            </Button>
            {other}
          </Foot>
        </>
      )
    case 'ready':
    case 'opened':
      return (
        <>
          {way.at === 'ready' ? (
            <Banner kind="info">{words.pageFor[reason]}</Banner>
          ) : (
            <Banner kind="info">
              <strong>{opened.title}</strong>
              <br />
              {way.mayBeBlocked ? opened.blocked : opened.detail}
            </Banner>
          )}
          <Foot>
            <WalletButton
              url={way.buttonUrl}
              label={words.toPage}
              again={opened.again}
              preparing={words.preparingPage}
              onState={handlers.pageOpened}
            />
            {way.at === 'opened' && (
              <Button kind="text" onPress={handlers.cancelPage}>
                {opened.cancel}
              </Button>
            )}
            {other}
          </Foot>
        </>
      )
    default:
      return way satisfies never
  }
}

type ApprovalPressProps = ButtonProps & {
  gate: Gate | 'given'
  handlers: ApprovalHandlers
}

/** Renders the approve button alone, for approvals that never move to the page. */
export function ApprovalPress({ gate, handlers, ...button }: ApprovalPressProps) {
  const words = useTexts(texts)
  const ref = useGateEvents(handlers.notice)
  return <ApproveButton {...button} ref={ref} gate={gate === 'given' ? givenGate : gate} words={words} />
}

const givenGate: Gate = { state: 'armed', sinceMs: 0, asks: false }
