import {
  type AssetNames,
  analyzeTypedData,
  describeFindings,
  type FindingsDescription,
  noAssetNames,
  type SolanaDescription,
  toMessageParts,
} from '@latchkey/protocol/reading'
import { texts as readingTexts } from '@latchkey/protocol/reading/texts.arb'
import { useMemo } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange, useHeader } from '../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../approval/confirmed.ts'
import { ApprovalStep } from '../../approval/step/approval-step.tsx'
import { useInfoWords } from '../../approval/step/use-info-words.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { AppIdentity } from '../../shell/lazy/app-identity.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { hasInvisibleParts, ShownParts } from '../../ui/rows/shown-parts.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './message-box.module.css'
import { texts } from './texts.arb'
import type { Blocked, ShownContent, Signed } from './to-sign.ts'
import { Sentences, TypedDataBox } from './typed-data/typed-data-box.tsx'
import { type SigningProps, type SigningStatus, useSigning } from './use-signing.ts'

/** The facts that are known before the server answers. */
export type RequestFacts = {
  /** The texts of the host, if it has some. */
  title: string | undefined
  description: string | undefined
  buttonText: string | undefined
  iconUrl: string | undefined
  address: string
  appName: string
  /** The requester, as the browser vouches for it; null in a standalone dialog. */
  origin: string | null
  isRelayed?: boolean
}

type Props = ScreenProps<Signed, SigningProps & { facts: RequestFacts }>

export function RequestScreen({ screen, facts, ...props }: Props) {
  const { content, blocked } = props.toSign
  const { step, approval, retry } = useSigning(props, screen)
  const { info } = useTexts(texts)
  const { status } = step
  // A signature in progress cannot be cancelled. It has a deadline.
  useHeader({ back: false, close: status !== 'signing' })
  useInfoWords(status === 'review' && !blocked ? info : undefined)
  useContentChange(status)
  return (
    <RequestView
      facts={facts}
      content={content}
      names={approval.answer?.names ?? noAssetNames}
      step={blocked ? { status: 'blocked', why: blocked } : step}
      approval={approval.shown}
      handlers={approval.handlers}
      onRetry={retry}
      onLeave={screen.leave}
    />
  )
}

export type RequestViewProps = {
  facts: RequestFacts
  content: ShownContent
  /** The tokens of typed data, as the server lists them. */
  names: AssetNames
  /** A blocked request is not put to the user. */
  step: SigningStatus | { status: 'blocked'; why: Blocked }
  approval: ShownApproval
  handlers: ConfirmationHandlers
  onRetry: () => void
  onLeave: () => void
}

export function RequestView(props: RequestViewProps) {
  const { facts, step, onRetry, onLeave } = props
  const { success, failed, problems } = useTexts(texts)
  switch (step.status) {
    case 'review':
    case 'signing':
      return <Review {...props} />
    case 'success':
      return <Success title={success} />
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={problems[step.problem]}
          button={failed.retry}
          isOwnChoice={step.problem === 'canceled'}
          onPress={onRetry}
        />
      )
    case 'blocked':
      return <BlockedRequest facts={facts} why={step.why} onLeave={onLeave} />
    default:
      return step satisfies never
  }
}

type BlockedProps = {
  facts: RequestFacts
  why: Blocked
  onLeave: () => void
}

function BlockedRequest({ facts, why, onLeave }: BlockedProps) {
  const { blocked } = useTexts(texts)
  const says =
    why.kind === 'sign-in'
      ? blocked.signIn({ domain: why.domain })
      : blocked.chain({ asked: why.asked, current: String(why.current) })
  return (
    <Failure title={blocked.title} detail={says} button={blocked.leave} onPress={onLeave}>
      <AppIdentity {...facts} />
    </Failure>
  )
}

/** Shows the requester, the content and the wallet above the approve button. */
function Review({ facts, content, names, step, approval, handlers }: RequestViewProps) {
  const { request, review } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const meaning = useMeaning(content, facts.address, names)
  const isSigning = step.status === 'signing'
  // A transaction has fees.
  const lead = facts.description ?? (content.kind === 'solana-transaction' ? undefined : request.description)
  return (
    <Stack>
      <Heading>
        <Title>{facts.title ?? meaning?.title ?? request.title}</Title>
        <AppIdentity {...facts} />
        {lead !== undefined && <Lead>{lead}</Lead>}
      </Heading>
      <Content content={content} meaning={meaning} />
      <Facts>
        <Fact term={review.wallet}>
          <Address address={facts.address} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
      </Facts>
      <ApprovalStep
        shown={isSigning ? { by: 'given' } : approval}
        handlers={handlers}
        busy={isSigning && review.signing}
      >
        {facts.buttonText ?? request.button}
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

type Meaning = FindingsDescription & Partial<Pick<SolanaDescription, 'memos'>>

/** Returns the description of typed data, or of a transaction, for the wallet that signs. */
function useMeaning(content: ShownContent, address: string, names: AssetNames): Meaning | undefined {
  const reading = useTexts(readingTexts)
  const language = useLanguage()
  return useMemo(() => {
    switch (content.kind) {
      case 'typed-data':
        return describeFindings(analyzeTypedData(content.data, address), names, reading, language)
      case 'solana-transaction':
        return content.describe(address, names, reading)
      case 'message':
      case 'bytes':
        return undefined
      default:
        return content satisfies never
    }
  }, [content, address, names, reading, language])
}

type ContentProps = { content: ShownContent; meaning: Meaning | undefined }

function Content({
  content,
  meaning: { sentences, memos = [] } = { title: undefined, sentences: [] },
}: ContentProps) {
  switch (content.kind) {
    case 'message':
      return <MessageBox message={content.message} />
    case 'bytes':
      return <BytesBox hex={content.hex} />
    case 'typed-data':
      return <TypedDataBox {...content} sentences={sentences} />
    case 'solana-transaction':
      return (
        <>
          <Sentences sentences={sentences} />
          {memos.map((memo) => (
            <MessageBox key={memo} message={memo} />
          ))}
        </>
      )
    default:
      return content satisfies never
  }
}

/** Shown while this device recovers its share of the wallet. */
export function ConnectingScreen() {
  const { connecting } = useTexts(texts)
  return (
    <Waiting title={connecting.title} detail={connecting.recovering}>
      <WalletFace />
    </Waiting>
  )
}

/** The exact message, isolated so that its text direction does not change the texts around it. */
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
