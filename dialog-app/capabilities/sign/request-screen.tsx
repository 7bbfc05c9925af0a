import {
  type AssetNames,
  analyzeTypedData,
  describeFindings,
  type FindingsDescription,
  toMessageParts,
} from '@latchkey/protocol/reading'
import { texts as readingTexts } from '@latchkey/protocol/reading/texts.arb'
import { useMemo } from 'react'
import type { ConfirmedEvents, ShownApproval } from '../../approval/confirmed.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import type { PartProps } from '../../flow/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { AppIdentity } from '../../shell/lazy/app-identity.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { hasInvisibleParts, ShownParts } from '../../ui/rows/shown-parts.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './message-box.module.css'
import { type Texts, texts } from './texts.arb'
import type { Blocked, ShownContent } from './to-sign.ts'
import { TypedDataBox } from './typed-data/typed-data-box.tsx'

export type ShownRequest = {
  /** The words of the host, where it has some. */
  title: string | undefined
  description: string | undefined
  buttonText: string | undefined
  iconUrl: string | undefined
  content: ShownContent
  address: string
  appName: string
  /** Who asks, as the browser vouches for it; null when the dialog stands alone. */
  origin: string | null
  isRelayed?: boolean
  /** What typed data is said with, as far as the server's lists have it; nothing before it has answered. */
  names: AssetNames
}
export type SignProblem = keyof Texts['problems']
export type RequestStep =
  | { status: 'review'; approval: ShownApproval }
  | { status: 'signing' }
  | { status: 'success' }
  | { status: 'failed'; problem: SignProblem }
  /** It is not put to the user. */
  | { status: 'blocked'; why: Blocked }
export type RequestState = ShownRequest & RequestStep
export type RequestEvents = ConfirmedEvents & {
  retry: readonly []
  leave: readonly []
}

type Props = PartProps<RequestState, RequestEvents>

export function RequestScreen({ state, send }: Props) {
  const { success, failed, problems } = useTexts(texts)
  switch (state.status) {
    case 'review':
    case 'signing':
      return <Review state={state} send={send} />
    case 'success':
      return <Success title={success} />
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={problems[state.problem]}
          button={failed.retry}
          isOwnChoice={state.problem === 'canceled'}
          onPress={() => send('retry')}
        />
      )
    case 'blocked':
      return <BlockedRequest state={state} why={state.why} onLeave={() => send('leave')} />
    default:
      return state satisfies never
  }
}

type BlockedProps = {
  state: ShownRequest
  why: Blocked
  onLeave: () => void
}

function BlockedRequest({ state, why, onLeave }: BlockedProps) {
  const { blocked } = useTexts(texts)
  const says =
    why.kind === 'sign-in'
      ? blocked.signIn({ domain: why.domain })
      : blocked.chain({ asked: why.asked, current: String(why.current) })
  return (
    <Failure title={blocked.title} detail={says} button={blocked.leave} onPress={onLeave}>
      <AppIdentity {...state} />
    </Failure>
  )
}

type ReviewProps = {
  state: Extract<RequestState, { status: 'review' | 'signing' }>
  send: Props['send']
}

/** Who asks, what, with which wallet; then the button. */
function Review({ state, send }: ReviewProps) {
  const { request, review } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const meaning = useMeaning(state)
  return (
    <Stack>
      <Heading>
        <Title>{state.title ?? meaning?.title ?? request.title}</Title>
        <AppIdentity {...state} />
        <Lead>{state.description ?? request.description}</Lead>
      </Heading>
      <Content content={state.content} sentences={meaning?.sentences ?? []} />
      <Facts>
        <Fact term={review.wallet}>
          <Address address={state.address} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
      </Facts>
      <ApprovalStep
        shown={state.status === 'review' ? state.approval : { by: 'given' }}
        send={send}
        busy={state.status === 'signing' && review.signing}
      >
        {state.buttonText ?? request.button}
      </ApprovalStep>
    </Stack>
  )
}

function BytesBox({ hex }: { hex: string }) {
  const { review } = useTexts(texts)
  return (
    <>
      <Banner kind="warning">{review.noText}</Banner>
      <MessageBox message={hex} />
    </>
  )
}

/** What typed data says, for the wallet that signs. */
function useMeaning({ content, address, names }: ShownRequest): FindingsDescription | undefined {
  const reading = useTexts(readingTexts)
  const language = useLanguage()
  return useMemo(
    () =>
      content.kind === 'typed-data'
        ? describeFindings(analyzeTypedData(content.data, address), names, reading, language)
        : undefined,
    [content, address, names, reading, language],
  )
}

type ContentProps = { content: ShownContent; sentences: FindingsDescription['sentences'] }

function Content({ content, sentences }: ContentProps) {
  switch (content.kind) {
    case 'message':
      return <MessageBox message={content.message} />
    case 'bytes':
      return <BytesBox hex={content.hex} />
    case 'typed-data':
      return <TypedDataBox {...content} sentences={sentences} />
    default:
      return content satisfies never
  }
}

/** Seen where this device is given its share of the wallet first. */
export function ConnectingScreen() {
  const { connecting } = useTexts(texts)
  return (
    <Waiting title={connecting.title} detail={connecting.recovering}>
      <WalletFace />
    </Waiting>
  )
}

/** The message, byte for byte; its writing can not turn what is around it. */
function MessageBox({ message }: { message: string }) {
  const { review } = useTexts(texts)
  const parts = useMemo(() => toMessageParts(message), [message])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div
        className={styles.box}
        role="group"
        aria-label={review.message}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
        tabIndex={0}
      >
        <ShownParts parts={parts} />
      </div>
      {hasInvisibleParts(parts) && <Note>{review.invisible}</Note>}
    </>
  )
}
