import type { ReactNode } from 'react'
import type { Send } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { WalletButton } from '../../ui/wallet-page/wallet-button.tsx'
import type { ApprovalEvents } from '../approval.ts'
import type { ConfirmedEvents, PageReason, PageWay, ShownApproval } from '../confirmed.ts'
import type { Gate } from '../gate.ts'
import { texts } from '../texts.arb'
import { useApprovalSenses } from './approval-senses.ts'
import { ApproveButton } from './approve-button.tsx'

type ButtonProps = {
  /** What the button says while what was approved is done. */
  readonly busy: string | false
  readonly children: ReactNode
}

type ApprovalStepProps = ButtonProps & {
  /** `given`: what was approved is done now. */
  readonly shown: ShownApproval | { readonly by: 'given' }
  readonly send: Send<ConfirmedEvents>
}

/** What a card that asks for an approval ends in: its button, or the way to the page where that button is. */
export function ApprovalStep({ shown, send, busy, children }: ApprovalStepProps) {
  switch (shown.by) {
    case 'press':
    case 'given':
      return (
        <ApprovalPress gate={shown.by === 'press' ? shown.gate : 'given'} send={send} busy={busy}>
          {children}
        </ApprovalPress>
      )
    case 'page':
      return <WayToPage reason={shown.reason} way={shown.way} send={send} />
    default:
      return shown satisfies never
  }
}

type WayToPageProps = Pick<ApprovalStepProps, 'send'> & {
  readonly reason: PageReason
  readonly way: PageWay
}

function WayToPage({ reason, way, send }: WayToPageProps) {
  const words = useTexts(texts)
  const { opened } = words
  switch (way.at) {
    case 'preparing':
    case 'nowhere':
      return (
        <>
          <Banner kind="info">{words.pageFor[reason]}</Banner>
          <Button busy={way.at === 'preparing' && words.preparingPage} onPress={() => send('explainPage')}>
            {words.toPage}
          </Button>
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
        </>
      )
    default:
      return way satisfies never
  }
}

type ApprovalPressProps = ButtonProps & {
  readonly gate: Gate | 'given'
  readonly send: Send<ApprovalEvents>
}

/** The button alone: of what is never approved elsewhere. */
export function ApprovalPress({ gate, send, busy, children }: ApprovalPressProps) {
  const words = useTexts(texts)
  const button = useApprovalSenses((noticed) => send('notice', noticed))
  return (
    <ApproveButton ref={button} gate={gate === 'given' ? givenGate : gate} busy={busy} words={words}>
      {children}
    </ApproveButton>
  )
}

const givenGate: Gate = { state: 'armed', sinceMs: 0, asks: false }
