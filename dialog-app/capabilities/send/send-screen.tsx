import type { SendUi } from '@latchkey/protocol'
import type { ReactNode } from 'react'
import { formatTokens, formatUsd } from '../../chains/amounts.ts'
import type { Chain } from '../../chains/known.ts'
import type { ConfirmedEvents, ShownApproval } from '../../core/confirmed.ts'
import type { PartProps } from '../../core/screen.ts'
import { ApprovalStep } from '../../face/approval-step.tsx'
import { Asker } from '../../face/asker.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { Address } from '../../ui/address.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Group } from '../../ui/group.tsx'
import { OptionLink } from '../../ui/option-link.tsx'
import { shownMessage } from '../../ui/shown-message.ts'
import { ShownParts } from '../../ui/shown-parts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { StatusSeal } from '../../ui/status-seal.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import type { Action, Token } from './action.ts'
import type { SendProblem } from './confirmation.ts'
import type { Prepared } from './preparation.ts'
import styles from './send-screen.module.css'
import { texts } from './texts.ts'

export type ShownSend = {
  readonly ui: SendUi
  readonly chain: Chain
  readonly from: string
  readonly to: string | null
  readonly value: bigint
  readonly appName: string
  readonly origin: string | null
  /** It is not sent, but given to the app that asks, signed. */
  readonly isHandedOver?: boolean
  /** What it moves and costs at most, in dollars with cents. */
  readonly usd: string | null
}
/** `UNPREPARED`: the chain could not be asked before. `UNSIGNED`: the wallet could not sign. `UNCONFIRMED`: nobody
 * decided in time. */
export type FailureCode = SendProblem | 'UNPREPARED' | 'UNSIGNED' | 'UNCONFIRMED'
export type Reviewed = { readonly prepared: Prepared; readonly action: Action }
export type SendStep =
  | { readonly status: 'loading' }
  | ({ readonly status: 'review'; readonly approval: ShownApproval } & Reviewed)
  | ({ readonly status: 'submitting' } & Reviewed)
  | { readonly status: 'waiting'; readonly hash: string }
  | { readonly status: 'success'; readonly hash: string }
  | {
      readonly status: 'failed'
      readonly code: FailureCode
      readonly hash: string | undefined
      /** Its caller has the hash already, and would not hear of another try. */
      readonly isAnswered?: boolean
    }
export type SendState = ShownSend & SendStep
export type SendEvents = ConfirmedEvents & { readonly retry: readonly []; readonly leave: readonly [] }

type Props = PartProps<SendState, SendEvents>

const given: ShownApproval = { by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } }

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
      return (
        <Review state={state} approval={state.status === 'review' ? state.approval : given} send={send} />
      )
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
        <Stack>
          <StatusSeal status="done" />
          <Heading>
            <Title>{ui.successHeader ?? success.title}</Title>
            {ui.successDescription !== undefined && <Lead>{ui.successDescription}</Lead>}
          </Heading>
          <Explorer chain={state.chain} hash={state.hash} />
          <Button onPress={() => send('leave')}>{success.button}</Button>
        </Stack>
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
  readonly state: ShownSend & Reviewed & { readonly status: 'review' | 'submitting' }
  readonly approval: ShownApproval
  readonly send: Props['send']
}

/** Who asks, what it does, what it costs; then the button. */
function Review({ state, approval, send }: ReviewProps) {
  const { review, funds, approval: words } = useTexts(texts)
  const { prepared, action, chain, ui } = state
  const isPlain = action.kind === 'native-transfer'
  const ownTitle = isPlain ? review.send(chain.symbol) : review.title
  const title = ui.header ?? (state.isHandedOver ? review.sign : ownTitle)
  const button = ui.buttonText ?? (state.isHandedOver ? review.signButton : review.button)
  const money = (amount: bigint) => `${formatTokens(amount, chain.decimals)} ${chain.symbol}`
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <Asker appName={state.appName} iconUrl={undefined} origin={state.origin} />
        {ui.description !== undefined && <Lead>{ui.description}</Lead>}
      </Heading>
      <Warnings prepared={prepared} action={action} />
      {state.isHandedOver && <Banner kind="warning">{review.handedOver}</Banner>}
      <Facts>
        <Fact term={review.from}>
          <Copied text={state.from} />
        </Fact>
        <Fact term={review.to}>{state.to === null ? review.nobody : <Copied text={state.to} />}</Fact>
        <Fact term={review.action}>
          <Said action={action} money={money(state.value)} />
        </Fact>
        {ui.transactionInfo?.action !== undefined && (
          <Fact term={ui.transactionInfo.title ?? review.appSays}>
            <Shown text={ui.transactionInfo.action} />
          </Fact>
        )}
        <Fact term={review.network}>{chain.name}</Fact>
        {!isPlain && state.value > 0n && (
          <Fact term={review.value}>
            <Figure>{money(state.value)}</Figure>
          </Fact>
        )}
        <Fact term={review.fees}>
          <Figure>{money(prepared.estimatedFee)}</Figure>
        </Fact>
        <Fact term={review.total}>
          <Figure>{money(state.value + prepared.estimatedFee)}</Figure>
        </Fact>
        {state.usd !== null && (
          <Fact term={review.worth}>
            <Figure>{formatUsd(Number(state.usd))}</Figure>
          </Fact>
        )}
      </Facts>
      {'data' in action && <Data data={action.data} label={review.data} />}
      {prepared.hasEnough ? (
        <ApprovalStep
          shown={approval}
          send={send}
          words={words}
          busy={state.status === 'submitting' && review.submitting}
        >
          {button}
        </ApprovalStep>
      ) : (
        <>
          <Banner kind="danger">{funds.insufficient}</Banner>
          <Button disabled onPress={() => {}}>
            {button}
          </Button>
        </>
      )}
    </Stack>
  )
}

function Warnings({ prepared, action }: Reviewed) {
  const { warnings, problems } = useTexts(texts)
  const said = [
    prepared.willFail ? problems.UNPREPARED : undefined,
    action.kind === 'approval' && action.amount === null ? warnings.unlimited : undefined,
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

function Said({ action, money }: { readonly action: Action; readonly money: string }) {
  const { actions } = useTexts(texts)
  switch (action.kind) {
    case 'native-transfer':
      return actions.native(money)
    case 'token-transfer':
      return (
        <Words
          lead={actions.transfer}
          what={<Amount token={action.token} amount={action.amount} />}
          who={action.to}
          to={actions.to}
        />
      )
    case 'token-transfer-from':
      return (
        <Words
          lead={actions.transfer}
          what={<Amount token={action.token} amount={action.amount} />}
          who={action.to}
          to={actions.to}
        >
          {actions.from} <Copied text={action.from} />
        </Words>
      )
    case 'thing-transfer':
      return (
        <Words
          lead={actions.transfer}
          what={<Thing token={action.token} id={action.id} count={action.count} />}
          who={action.to}
          to={actions.to}
        />
      )
    case 'approval':
      return (
        <Words
          lead={actions.allow}
          what={
            action.amount === null ? (
              <>
                {actions.anyAmount} <Name token={action.token} />
              </>
            ) : (
              <Amount token={action.token} amount={action.amount} />
            )
          }
          who={action.spender}
          to={actions.by}
        />
      )
    case 'thing-approval':
      return (
        <Words
          lead={actions.allow}
          what={<Thing token={action.token} id={action.id} count={1n} />}
          who={action.spender}
          to={actions.by}
        />
      )
    case 'approval-for-all':
      return (
        <Words
          lead={action.isGiven ? actions.allowAll : actions.forbidAll}
          what={<Name token={action.token} />}
          who={action.spender}
          to={actions.by}
        />
      )
    case 'contract-creation':
      return actions.create
    case 'unknown':
      return actions.unknown
    default:
      return action satisfies never
  }
}

type WordsProps = {
  readonly lead: string
  readonly what: ReactNode
  readonly to: string
  readonly who: string
  readonly children?: ReactNode
}

const Words = ({ lead, what, to, who, children }: WordsProps) => (
  <span className={styles.words}>
    {lead} {what} {to} <Copied text={who} />
    {children}
  </span>
)

/** A sign of less than would be turned around in the middle of what is read from the right. */
const Figure = ({ children }: { readonly children: string }) => <bdi dir="ltr">{children}</bdi>

const Amount = ({ token, amount }: { readonly token: Token; readonly amount: bigint }) => (
  <>
    <Figure>{token.decimals === undefined ? String(amount) : formatTokens(amount, token.decimals)}</Figure>{' '}
    <Name token={token} />
  </>
)

const Thing = ({
  token,
  id,
  count,
}: {
  readonly token: Token
  readonly id: bigint
  readonly count: bigint
}) => (
  <>
    {count === 1n ? '' : `${count} × `}
    <Name token={token} /> <bdi dir="ltr">#{String(id)}</bdi>
  </>
)

/** A contract says what it likes to be called: its address says which it is. */
const Name = ({ token }: { readonly token: Token }) => (
  <>
    {token.symbol !== undefined && <Shown text={token.symbol} />} <Copied text={token.address} />
  </>
)

const Shown = ({ text }: { readonly text: string }) => (
  <bdi>
    <ShownParts parts={shownMessage(text)} />
  </bdi>
)

function Copied({ text }: { readonly text: string }) {
  const { address } = useTexts(shellTexts)
  return <Address address={text} copyLabel={address.copy} copiedLabel={address.copied} />
}

const Data = ({ data, label }: { readonly data: string; readonly label: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
  <div className={styles.data} role="group" aria-label={label} dir="ltr" tabIndex={0}>
    {data}
  </div>
)

function Explorer({ chain, hash }: { readonly chain: Chain; readonly hash: string }) {
  const { explorer } = useTexts(texts)
  return (
    <Group>
      <OptionLink href={`${chain.explorerUrl}/tx/${hash}`} label={explorer} title={chain.explorerUrl} />
    </Group>
  )
}
