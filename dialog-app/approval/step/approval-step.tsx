import type { Gate } from '@latchkey/protocol/browser'
import type { ReactNode } from 'react'
import type { Send } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Foot } from '../../ui/stack.tsx'
import { WalletButton } from '../../ui/wallet-page/wallet-button.tsx'
import type { ApprovalEvents } from '../approval.ts'
import type { ConfirmedEvents, PageReason, PageWay, ShownApproval } from '../confirmed.ts'
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
  send: Send<ConfirmedEvents>
  /** A second button, shown below. */
  other?: ReactNode
}

/** Renders the foot of an approval card: the approve button, or the button that opens the confirmation page. */
export function ApprovalStep({ shown, send, other, ...button }: ApprovalStepProps) {
  switch (shown.by) {
    case 'press':
    case 'given':
      return (
        <Foot>
          <ApprovalPress {...button} gate={shown.by === 'press' ? shown.gate : 'given'} send={send} />
          {other}
        </Foot>
      )
    case 'page':
      return <WayToPage reason={shown.reason} way={shown.way} send={send} other={other} />
    default:
      return shown satisfies never
  }
}

type WayToPageProps = Pick<ApprovalStepProps, 'send' | 'other'> & {
  reason: PageReason
  way: PageWay
}

function WayToPage({ reason, way, send, other }: WayToPageProps) {
  const words = useTexts(texts)
  const { opened } = words
  switch (way.at) {
    case 'preparing':
    case 'nowhere':
      return (
        <>
          <Banner kind="info">{words.pageFor[reason]}</Banner>
          <Foot>
            <Button busy={way.at === 'preparing' && words.preparingPage} onPress={() => send('explainPage')}>
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
              onState={(state) => send('pageOpened', state)}
            />
            {way.at === 'opened' && (
              <Button kind="text" onPress={() => send('cancelPage')}>
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
  send: Send<ApprovalEvents>
}

/** Renders the approve button alone, for approvals that never move to the page. */
export function ApprovalPress({ gate, send, ...button }: ApprovalPressProps) {
  const words = useTexts(texts)
  const ref = useGateEvents((noticed) => send('notice', noticed))
  return <ApproveButton {...button} ref={ref} gate={gate === 'given' ? givenGate : gate} words={words} />
}

const givenGate: Gate = { state: 'armed', sinceMs: 0, asks: false }
