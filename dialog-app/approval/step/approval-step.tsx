import type { ReactNode } from 'react'
import type { Send } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Foot } from '../../ui/stack.tsx'
import { WalletButton } from '../../ui/wallet-page/wallet-button.tsx'
import type { ApprovalEvents } from '../approval.ts'
import type { ConfirmedEvents, PageReason, PageWay, ShownApproval } from '../confirmed.ts'
import type { Gate } from '../gate.ts'
import { texts } from '../texts.arb'
import { useApprovalSenses } from './approval-senses.ts'
import { ApproveButton } from './approve-button.tsx'

type ButtonProps = {
  /** What the button says while what was approved is done. */
  busy: string | false
  /** What is approved takes something away for good. */
  isDanger?: boolean
  children: ReactNode
}

type ApprovalStepProps = ButtonProps & {
  /** `given`: what was approved is done now. */
  shown: ShownApproval | { by: 'given' }
  send: Send<ConfirmedEvents>
  /** Another button, below. */
  other?: ReactNode
}

/** What a card that asks for an approval ends in: its button, or the way to the page where that button is. */
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

/** The button alone serves what is never approved elsewhere. */
export function ApprovalPress({ gate, send, ...button }: ApprovalPressProps) {
  const words = useTexts(texts)
  const ref = useApprovalSenses((noticed) => send('notice', noticed))
  return <ApproveButton {...button} ref={ref} gate={gate === 'given' ? givenGate : gate} words={words} />
}

const givenGate: Gate = { state: 'armed', sinceMs: 0, asks: false }
