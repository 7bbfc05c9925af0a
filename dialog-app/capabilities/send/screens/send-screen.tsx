import type { ClientConfig, SendUi } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import { formatExact, formatTokens, formatUsd } from '@latchkey/protocol/reading'
import { useState } from 'react'
import type { ScreenProps } from '../../../app/screen.ts'
import { useContentChange, useHeader, useWaits } from '../../../app/screen-options.ts'
import type { ConfirmationHandlers, ShownApproval } from '../../../approval/confirmed.ts'
import { ApprovalStep } from '../../../approval/step/approval-step.tsx'
import { useInfoWords } from '../../../approval/step/use-info-words.ts'
import { hasFunding } from '../../../host/settings.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { AppIdentity } from '../../../shell/lazy/app-identity.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { useLate } from '../../../ui/feedback/late.ts'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Group } from '../../../ui/group.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { OptionLink } from '../../../ui/rows/option-link.tsx'
import { WalletFace } from '../../../ui/rows/wallet-face.tsx'
import { Foot, Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Prepared } from '../preparation.ts'
import type { Reviewed } from '../send-steps.ts'
import { texts } from '../texts.arb'
import type { Sent } from '../transaction.ts'
import { type SendingProps, type SendStep, useSending } from '../use-sending.ts'
import { ActionText, Copied, Figure, OtherAddresses, VisibleText } from './action-text.tsx'
import { LeadAmount, Shortfall } from './lead-amount.tsx'
import styles from './send-screen.module.css'

/** The facts that are known before the chain answers. */
export type SendFacts = {
  ui: SendUi
  chain: Chain
  from: string
  to: string | null
  value: bigint
  appName: string
  origin: string | null
  isRelayed?: boolean
  /** The transaction is signed for the app, and not sent. */
  isHandedOver?: boolean
  priceDisplay: PriceDisplay | undefined
}
type PriceDisplay = NonNullable<NonNullable<ClientConfig['embeddedWallets']>['priceDisplay']>

export function SendScreen({
  screen,
  facts,
  ...props
}: ScreenProps<Sent, SendingProps & { facts: SendFacts }>) {
  const { step, approval, retry, addFunds } = useSending(props, screen)
  const { info } = useTexts(texts)
  const legibleStep = useLegibleStep(step)
  // A transaction cannot be cancelled while it is signed and submitted. That has a deadline.
  useHeader({ back: false, close: step.status !== 'submitting' })
  useInfoWords(legibleStep.status === 'review' ? info : undefined)
  useContentChange(legibleStep.status)
  return (
    <SendView
      facts={facts}
      usd={approval.answer?.usd ?? null}
      isFundable={hasFunding(props.ports.settings())}
      step={legibleStep}
      approval={approval.shown}
      handlers={approval.handlers}
      onRetry={retry}
      onAddFunds={() => void addFunds()}
      onLeave={screen.leave}
    />
  )
}

/** Returns the step to show. The step before a wait stays visible until the wait is long enough to be read. */
function useLegibleStep(step: SendStep): SendStep {
  const [latest, setLatest] = useState<SendStep>()
  const isWait = step.status === 'loading' || step.status === 'waiting'
  const lasts = useLate(isWait)
  const isLegible = !isWait || lasts
  // Derived during render, so that a step without a wait is drawn immediately.
  if (isLegible && latest !== step) setLatest(step)
  useWaits(!isLegible && latest === undefined)
  return isLegible || latest === undefined ? step : latest
}

export type SendViewProps = {
  facts: SendFacts
  /** The maximum worth of the transaction with its fees, in dollars with cents. */
  usd: string | null
  /** The user can add money in the dialog. */
  isFundable: boolean
  step: SendStep
  approval: ShownApproval
  handlers: ConfirmationHandlers
  onRetry: () => void
  onAddFunds: () => void
  onLeave: () => void
}

export function SendView(props: SendViewProps) {
  const { facts, step, onRetry, onLeave } = props
  const { loading, waiting, success, failed, problems } = useTexts(texts)
  const { ui, chain } = facts
  switch (step.status) {
    case 'loading':
      return (
        <Waiting title={loading.title} detail={loading.detail}>
          <WalletFace />
        </Waiting>
      )
    case 'review':
    case 'submitting':
      return <Review {...props} reviewed={step} isSubmitting={step.status === 'submitting'} />
    case 'waiting':
      return (
        <Stack>
          <Waiting title={waiting.title} detail={waiting.detail}>
            <WalletFace />
          </Waiting>
          <Explorer chain={chain} hash={step.hash} />
        </Stack>
      )
    case 'success':
      return (
        <Success title={ui.successHeader ?? success.title} detail={ui.successDescription}>
          <Explorer chain={chain} hash={step.hash} />
          <Button onPress={onLeave}>{success.button}</Button>
        </Success>
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={problems[step.code]}
          button={step.isAnswered ? success.button : failed.retry}
          onPress={step.isAnswered ? onLeave : onRetry}
        >
          <Facts>
            <Fact term={failed.code}>
              <bdi dir="ltr">{step.code}</bdi>
            </Fact>
            {step.hash !== undefined && (
              <Fact term={failed.hash}>
                <Copied text={step.hash} />
              </Fact>
            )}
          </Facts>
          {step.hash !== undefined && <Explorer chain={chain} hash={step.hash} />}
        </Failure>
      )
    default:
      return step satisfies never
  }
}

type ReviewProps = Omit<SendViewProps, 'step'> & { reviewed: Reviewed; isSubmitting: boolean }

/** Shows the amount, the requester, the action and its costs above the approve button. */
function Review({
  facts,
  usd,
  isFundable,
  reviewed,
  isSubmitting,
  approval,
  handlers,
  onAddFunds,
}: ReviewProps) {
  const { review, funds } = useTexts(texts)
  const { prepared, action } = reviewed
  const { chain, ui, value } = facts
  const isPlain = action.kind === 'native-transfer'
  const ownTitle = isPlain ? review.send({ symbol: chain.symbol ?? review.coin }) : review.title
  const title = ui.header ?? (facts.isHandedOver ? review.sign : ownTitle)
  const button = ui.buttonText ?? (facts.isHandedOver ? review.signButton : review.button)
  const dollars = placeDollars(facts.priceDisplay)
  const worth = usd !== null && (
    <Fact term={review.worth}>
      <Figure>{formatUsd(Number(usd))}</Figure>
    </Fact>
  )
  const describeAmount = (amount: bigint, format: typeof formatExact) =>
    chain.symbol === undefined
      ? review.smallest({ amount: String(amount) })
      : `${format(amount, chain.decimals)} ${chain.symbol}`
  const about = (amount: bigint) => describeAmount(amount, formatTokens)
  const whole = (amount: bigint) => describeAmount(amount, formatExact)
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <LeadAmount
          action={action}
          money={isPlain || value > 0n ? whole(value) : undefined}
          dollars={usd === null || dollars === 'none' ? undefined : formatUsd(Number(usd))}
          isDollarsFirst={dollars === 'first'}
        />
        <AppIdentity
          appName={facts.appName}
          iconUrl={undefined}
          origin={facts.origin}
          isRelayed={facts.isRelayed}
        />
        {ui.description !== undefined && <Lead>{ui.description}</Lead>}
      </Heading>
      {!prepared.hasEnough && (
        <Shortfall
          balance={whole(prepared.balance)}
          needed={whole(value + prepared.mostFee)}
          missing={whole(value + prepared.mostFee - prepared.balance)}
          network={chain.name ?? String(chain.id)}
          address={facts.from}
          isFundable={isFundable}
        />
      )}
      <Warnings prepared={prepared} action={action} />
      {facts.isHandedOver && <Banner kind="warning">{review.handedOver}</Banner>}
      {prepared.mayCostMore && <Banner kind="warning">{review.moreFees}</Banner>}
      {ui.transactionInfo && <AppSays {...ui.transactionInfo} />}
      <Facts>
        <Fact term={review.from}>
          <Copied text={facts.from} />
        </Fact>
        <Fact term={review.to}>{facts.to === null ? review.nobody : <Copied text={facts.to} isWhole />}</Fact>
        <Fact term={review.action}>
          <ActionText action={action} money={whole(value)} />
        </Fact>
        <OtherAddresses action={action} />
        <Fact term={review.network}>{chain.name ?? review.unknownNetwork({ id: String(chain.id) })}</Fact>
        {dollars === 'first' && worth}
        {!isPlain && value > 0n && (
          <Fact term={review.value}>
            <Figure>{whole(value)}</Figure>
          </Fact>
        )}
        <Fact term={review.fees}>
          <Figure>{about(prepared.estimatedFee)}</Figure>
        </Fact>
        {mayCostFarMore(prepared) && (
          <Fact term={review.feesAtMost}>
            <Figure>{whole(prepared.mostFee)}</Figure>
          </Fact>
        )}
        <Fact term={review.total}>
          <Figure>{about(value + prepared.estimatedFee)}</Figure>
        </Fact>
        {dollars === 'last' && worth}
      </Facts>
      {'data' in action && <Data data={action.data} label={review.data} />}
      {prepared.hasEnough ? (
        <ApprovalStep
          shown={isSubmitting ? { by: 'given' } : approval}
          handlers={handlers}
          busy={isSubmitting && review.submitting}
        >
          {button}
        </ApprovalStep>
      ) : (
        <Foot>
          {isFundable && <Button onPress={onAddFunds}>{funds.button}</Button>}
          <Button kind={isFundable ? 'quiet' : 'primary'} disabled onPress={() => {}}>
            {button}
          </Button>
        </Foot>
      )}
    </Stack>
  )
}

/** The texts of the host are no facts. They are shown apart from the facts, and labelled. */
function AppSays({ title, action }: NonNullable<SendUi['transactionInfo']>) {
  const { review } = useTexts(texts)
  const words = [title, action].filter((each) => each !== undefined)
  if (words.length === 0) return null
  return (
    <Note>
      {review.appSays}: <VisibleText text={words.join(': ')} />
    </Note>
  )
}

/** The user approves the amounts in the currency of the chain. No setting of a host removes them. */
function placeDollars({ primary, secondary }: PriceDisplay = {}): 'first' | 'last' | 'none' {
  if (primary === 'fiat-currency') return 'first'
  return secondary === null ? 'none' : 'last'
}

/** The usual margin for the base fee and the gas is a factor of 2.5, which gets no line. */
const USUAL_MARGIN = 3n
const mayCostFarMore = ({ estimatedFee, mostFee }: Prepared) => mostFee > USUAL_MARGIN * estimatedFee

function Warnings({ prepared, action }: Reviewed) {
  const { problems } = useTexts(texts)
  return (
    <>
      {prepared.willFail && <Banner kind="warning">{problems.UNPREPARED}</Banner>}
      <ActionWarnings action={action} />
    </>
  )
}

export function ActionWarnings({ action }: Pick<Reviewed, 'action'>) {
  const { warnings } = useTexts(texts)
  const warningTexts = [
    action.kind === 'approval' && action.amount === null ? warnings.unlimited : undefined,
    action.kind === 'nft-approval' && action.isUnlimited ? warnings.unlimited : undefined,
    action.kind === 'approval-for-all' && action.isGiven ? warnings.everything : undefined,
    action.kind === 'unknown' ? warnings.unknown : undefined,
    action.kind === 'contract-creation' ? warnings.creation : undefined,
  ].filter((each) => each !== undefined)
  return warningTexts.map((each) => (
    <Banner key={each} kind="warning">
      {each}
    </Banner>
  ))
}

const Data = ({ data, label }: { data: string; label: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
  <div className={styles.data} role="group" aria-label={label} dir="ltr" tabIndex={0}>
    {data}
  </div>
)

function Explorer({ chain, hash }: { chain: Chain; hash: string }) {
  const { explorer } = useTexts(texts)
  return (
    <Group>
      <OptionLink href={`${chain.explorerUrl}/tx/${hash}`} label={explorer} title={chain.explorerUrl} />
    </Group>
  )
}
