import type { ClientConfig, SendUi } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import { type Action, formatExact, formatTokens, formatUsd } from '@latchkey/protocol/reading'
import type { ConfirmedEvents, ShownApproval } from '../../../approval/confirmed.ts'
import { ApprovalStep } from '../../../approval/step/approval-step.tsx'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { AppIdentity } from '../../../shell/lazy/app-identity.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Group } from '../../../ui/group.tsx'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { OptionLink } from '../../../ui/rows/option-link.tsx'
import { WalletFace } from '../../../ui/rows/wallet-face.tsx'
import { Foot, Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { SendProblem } from '../confirmation.ts'
import type { Prepared } from '../preparation.ts'
import { texts } from '../texts.arb'
import { ActionText, Copied, Figure, OtherAddresses, VisibleText } from './action-text.tsx'
import { LeadAmount, Shortfall } from './lead-amount.tsx'
import styles from './send-screen.module.css'

export type ShownSend = {
  ui: SendUi
  chain: Chain
  from: string
  to: string | null
  value: bigint
  appName: string
  origin: string | null
  isRelayed?: boolean
  /** It is not sent, but given to the app that asks, signed. */
  isHandedOver?: boolean
  /** What it moves and costs at most, in dollars with cents. */
  usd: string | null
  priceDisplay: PriceDisplay | undefined
}
type PriceDisplay = NonNullable<NonNullable<ClientConfig['embeddedWallets']>['priceDisplay']>
/** `UNPREPARED`: the chain could not be asked before. `UNSIGNED`: the wallet could not sign. `UNCONFIRMED`: nobody
 * decided in time. */
export type FailureCode = SendProblem | 'UNPREPARED' | 'UNRECOVERED' | 'UNSIGNED' | 'UNCONFIRMED'
export type Reviewed = { prepared: Prepared; action: Action }
export type SendStep =
  | { status: 'loading' }
  | ({
      status: 'review'
      approval: ShownApproval
      /** Its user can add money here. */
      isFundable?: boolean
    } & Reviewed)
  | ({ status: 'submitting' } & Reviewed)
  | { status: 'waiting'; hash: string }
  | { status: 'success'; hash: string }
  | {
      status: 'failed'
      code: FailureCode
      hash: string | undefined
      /** Its caller has the hash already, and would not hear of another try. */
      isAnswered?: boolean
    }
export type SendState = ShownSend & SendStep
export type SendEvents = ConfirmedEvents & {
  retry: readonly []
  leave: readonly []
  addFunds: readonly []
}

type Props = PartProps<SendState, SendEvents>

export function SendScreen({ state, send }: Props) {
  const { loading, waiting, success, failed, problems } = useTexts(texts)
  const { ui } = state
  switch (state.status) {
    case 'loading':
      return (
        <Waiting title={loading.title} detail={loading.detail}>
          <WalletFace />
        </Waiting>
      )
    case 'review':
    case 'submitting':
      return <Review state={state} send={send} />
    case 'waiting':
      return (
        <Stack>
          <Waiting title={waiting.title} detail={waiting.detail}>
            <WalletFace />
          </Waiting>
          <Explorer chain={state.chain} hash={state.hash} />
        </Stack>
      )
    case 'success':
      return (
        <Success title={ui.successHeader ?? success.title} detail={ui.successDescription}>
          <Explorer chain={state.chain} hash={state.hash} />
          <Button onPress={() => send('leave')}>{success.button}</Button>
        </Success>
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={problems[state.code]}
          button={state.isAnswered ? success.button : failed.retry}
          onPress={() => send(state.isAnswered ? 'leave' : 'retry')}
        >
          <Facts>
            <Fact term={failed.code}>
              <bdi dir="ltr">{state.code}</bdi>
            </Fact>
            {state.hash !== undefined && (
              <Fact term={failed.hash}>
                <Copied text={state.hash} />
              </Fact>
            )}
          </Facts>
          {state.hash !== undefined && <Explorer chain={state.chain} hash={state.hash} />}
        </Failure>
      )
    default:
      return state satisfies never
  }
}

type ReviewProps = {
  state: Extract<SendState, Reviewed>
  send: Props['send']
}

/** How much it moves, who asks, what it does, what it costs; then the button. */
function Review({ state, send }: ReviewProps) {
  const { review, funds } = useTexts(texts)
  const { prepared, action, chain, ui } = state
  const isFundable = state.status === 'review' && state.isFundable === true
  const isPlain = action.kind === 'native-transfer'
  const ownTitle = isPlain ? review.send({ symbol: chain.symbol ?? review.coin }) : review.title
  const title = ui.header ?? (state.isHandedOver ? review.sign : ownTitle)
  const button = ui.buttonText ?? (state.isHandedOver ? review.signButton : review.button)
  const dollars = placeOfDollars(state.priceDisplay)
  const worth = state.usd !== null && (
    <Fact term={review.worth}>
      <Figure>{formatUsd(Number(state.usd))}</Figure>
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
          money={isPlain || state.value > 0n ? whole(state.value) : undefined}
          dollars={state.usd === null || dollars === 'none' ? undefined : formatUsd(Number(state.usd))}
          isDollarsFirst={dollars === 'first'}
        />
        <AppIdentity
          appName={state.appName}
          iconUrl={undefined}
          origin={state.origin}
          isRelayed={state.isRelayed}
        />
        {ui.description !== undefined && <Lead>{ui.description}</Lead>}
      </Heading>
      {!prepared.hasEnough && (
        <Shortfall
          balance={whole(prepared.balance)}
          needed={whole(state.value + prepared.mostFee)}
          missing={whole(state.value + prepared.mostFee - prepared.balance)}
          network={chain.name ?? String(chain.id)}
          address={state.from}
          isFundable={isFundable}
        />
      )}
      <Warnings prepared={prepared} action={action} />
      {state.isHandedOver && <Banner kind="warning">{review.handedOver}</Banner>}
      {prepared.mayCostMore && <Banner kind="warning">{review.moreFees}</Banner>}
      {ui.transactionInfo && <AppSays {...ui.transactionInfo} />}
      <Facts>
        <Fact term={review.from}>
          <Copied text={state.from} />
        </Fact>
        <Fact term={review.to}>{state.to === null ? review.nobody : <Copied text={state.to} isWhole />}</Fact>
        <Fact term={review.action}>
          <ActionText action={action} money={whole(state.value)} />
        </Fact>
        <OtherAddresses action={action} />
        <Fact term={review.network}>{chain.name ?? review.unknownNetwork({ id: String(chain.id) })}</Fact>
        {dollars === 'first' && worth}
        {!isPlain && state.value > 0n && (
          <Fact term={review.value}>
            <Figure>{whole(state.value)}</Figure>
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
          <Figure>{about(state.value + prepared.estimatedFee)}</Figure>
        </Fact>
        {dollars === 'last' && worth}
      </Facts>
      {'data' in action && <Data data={action.data} label={review.data} />}
      {prepared.hasEnough ? (
        <ApprovalStep
          shown={state.status === 'review' ? state.approval : { by: 'given' }}
          send={send}
          busy={state.status === 'submitting' && review.submitting}
        >
          {button}
        </ApprovalStep>
      ) : (
        <Foot>
          {isFundable && <Button onPress={() => send('addFunds')}>{funds.button}</Button>}
          <Button kind={isFundable ? 'quiet' : 'primary'} disabled onPress={() => {}}>
            {button}
          </Button>
        </Foot>
      )}
    </Stack>
  )
}

/** In words of the host, which are no facts: they stand apart from these, and say whose they are. */
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

/** The amounts in the chain's own currency are what the user approves, so no setting of a host takes them away. */
function placeOfDollars({ primary, secondary }: PriceDisplay = {}): 'first' | 'last' | 'none' {
  if (primary === 'fiat-currency') return 'first'
  return secondary === null ? 'none' : 'last'
}

/** The room that is left for the base fee and the gas to rise makes it two and a half times as much: not worth a line. */
const USUAL_ROOM = 3n
const mayCostFarMore = ({ estimatedFee, mostFee }: Prepared) => mostFee > USUAL_ROOM * estimatedFee

function Warnings({ prepared, action }: Reviewed) {
  const { warnings, problems } = useTexts(texts)
  const said = [
    prepared.willFail ? problems.UNPREPARED : undefined,
    action.kind === 'approval' && action.amount === null ? warnings.unlimited : undefined,
    action.kind === 'nft-approval' && action.isUnlimited ? warnings.unlimited : undefined,
    action.kind === 'approval-for-all' && action.isGiven ? warnings.everything : undefined,
    action.kind === 'unknown' ? warnings.unknown : undefined,
    action.kind === 'contract-creation' ? warnings.creation : undefined,
  ].filter((each) => each !== undefined)
  return said.map((each) => (
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
