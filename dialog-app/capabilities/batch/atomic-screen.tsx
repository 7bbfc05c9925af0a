import { LatchkeyError } from '@latchkey/protocol'
import { type SponsoredOperation, sponsorRoutes } from '@latchkey/protocol/api'
import type { Chain } from '@latchkey/protocol/chains'
import { type Action, formatUsd } from '@latchkey/protocol/reading'
import { useLayoutEffect, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange, useHeader } from '../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../approval/confirmed.ts'
import { isRefusal } from '../../approval/rejection.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import { useApprovedSigning } from '../../approval/use-approved-signing.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { ActionText, Copied, OtherAddresses } from '../send/screens/action-text.tsx'
import { ActionWarnings } from '../send/screens/send-screen.tsx'
import { texts as sendTexts } from '../send/texts.arb'
import type { Offer } from './atomic-batch.ts'
import styles from './batch-screen.module.css'
import { type BatchFacts, BatchLayout, useMoney } from './batch-screen.tsx'
import type { BatchEntry } from './stored-batches.ts'
import { texts } from './texts.arb'

type Step = { status: 'review' | 'sending' } | { status: 'failed'; error: LatchkeyError }

type Props = ScreenProps<SponsoredOperation, { ports: CapabilityPorts; offer: Offer; facts: BatchFacts }>

export function AtomicBatchScreen({ screen, ports, offer, facts }: Props) {
  const { handle } = useDialog()
  const [step, setStep] = useState<Step>({ status: 'review' })
  const { account, operation, request, actions } = offer
  const { address } = account
  const { signal } = handle
  const { approval, sign } = useApprovedSigning(ports, account, (status) => setStep({ status }))

  async function send(): Promise<void> {
    const body = { address, operation, signatures: await sign(request) }
    screen.resolve(await ports.api.call(sponsorRoutes.sendOperation, body, { signal }))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the approval starts with the screen.
  useLayoutEffect(() => {
    send().catch((cause: unknown) => {
      if (signal.aborted) return
      if (isRefusal(cause)) return screen.reject(cause)
      setStep({ status: 'failed', error: toError(cause) })
    })
  }, [])

  // An operation cannot be cancelled while it is signed and sent. That has a deadline.
  useHeader({ back: false, close: step.status !== 'sending' })
  useContentChange(step.status)
  if (step.status === 'failed') return <Failed error={step.error} onLeave={() => screen.reject(step.error)} />
  return (
    <AtomicBatchView
      facts={facts}
      actions={actions}
      authorizes={operation.authorizationNonce !== null}
      usd={approval.answer?.usd ?? null}
      approval={approval.shown}
      handlers={approval.handlers}
      isSending={step.status === 'sending'}
    />
  )
}

const toError = (cause: unknown) =>
  cause instanceof LatchkeyError
    ? cause
    : new LatchkeyError('unable_to_sign', 'The operation was not signed', { cause })

/** The server may have received an operation although its answer was lost. */
const unknownOutcomes: LatchkeyError['code'][] = [
  'outcome_unknown',
  'server_unreachable',
  'client_request_timeout',
]

function Failed({ error, onLeave }: { error: LatchkeyError; onLeave: () => void }) {
  const { atomic } = useTexts(texts)
  const isUnknown = unknownOutcomes.includes(error.code)
  return (
    <Failure
      title={isUnknown ? atomic.unknown.title : atomic.failed.title}
      detail={isUnknown ? atomic.unknown.detail : atomic.failed.detail}
      button={atomic.leave}
      onPress={onLeave}
    />
  )
}

export type AtomicBatchViewProps = {
  facts: BatchFacts
  actions: Offer['actions']
  /** The wallet is delegated by this operation. */
  authorizes: boolean
  /** The worth of the calls at most, in dollars with cents. */
  usd: string | null
  approval: ShownApproval
  handlers: ConfirmationHandlers
  isSending: boolean
}

export function AtomicBatchView(props: AtomicBatchViewProps) {
  const { facts, actions, authorizes, usd, approval, handlers, isSending } = props
  const { atomic } = useTexts(texts)
  return (
    <BatchLayout
      facts={facts}
      title={atomic.title}
      detail={atomic.detail}
      call={(call, position) => <Call call={call} action={actions[position]} chain={facts.chain} />}
      moreFacts={
        usd !== null && (
          <Fact term={atomic.worth}>
            <bdi dir="ltr">{formatUsd(Number(usd))}</bdi>
          </Fact>
        )
      }
    >
      {authorizes && <Banner kind="info">{atomic.authorizes}</Banner>}
      <ApprovalStep
        shown={isSending ? { by: 'given' } : approval}
        handlers={handlers}
        busy={isSending && atomic.sending}
      >
        {atomic.button}
      </ApprovalStep>
    </BatchLayout>
  )
}

type CallProps = { call: BatchEntry; action: Action | undefined; chain: Chain }

/** Shows everything that the call does, because the user approves it here. */
function Call({ call: { to, value }, action, chain }: CallProps) {
  const { atomic, to: recipient } = useTexts(texts)
  const { review } = useTexts(sendTexts)
  const amount = useMoney(chain)(BigInt(value))
  if (action === undefined || to === null) return null
  return (
    <>
      <p className={styles.line}>
        <span className={styles.kind}>
          <ActionText action={action} money={amount} />
        </span>
      </p>
      <ActionWarnings action={action} />
      <Facts>
        <Fact term={recipient}>
          <Copied text={to} isWhole />
        </Fact>
        <OtherAddresses action={action} />
        {action.kind !== 'native-transfer' && value !== '0' && (
          <Fact term={review.value}>
            <bdi dir="ltr">{amount}</bdi>
          </Fact>
        )}
        {'data' in action && (
          <Fact term={atomic.data}>
            <Copied text={action.data} isWhole />
          </Fact>
        )}
      </Facts>
    </>
  )
}
