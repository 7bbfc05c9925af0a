import type { Chain } from '@latchkey/protocol/chains'
import { formatExact } from '@latchkey/protocol/reading'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { AppIdentity } from '../../shell/lazy/app-identity.tsx'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { OptionLink } from '../../ui/rows/option-link.tsx'
import { Foot, Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './batch-screen.module.css'
import type { Outcome } from './batch-status.ts'
import type { BatchEntry } from './stored-batches.ts'
import { texts } from './texts.arb'

export type ShownBatch = {
  appName: string
  origin: string | null
  chain: Chain
  from: string
  calls: readonly BatchEntry[]
}
export type BatchState = ShownBatch &
  (
    | { status: 'review'; isGoingOn: boolean }
    /** Of each call, in its order. */
    | { status: 'outcomes'; outcomes: readonly Outcome[] }
  )
export type BatchEvents = { goOn: readonly []; leave: readonly [] }

type Props = PartProps<BatchState, BatchEvents>

export function BatchScreen({ state, send }: Props) {
  const { review, outcomes, network, unknownNetwork, from, total } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const money = useMoney(state.chain)
  const { chain, calls, appName, origin } = state
  const isReview = state.status === 'review'
  const sum = calls.reduce((sum, { value }) => sum + BigInt(value), 0n)
  return (
    <Stack>
      <Heading>
        <Title>{isReview ? review.title({ count: calls.length }) : outcomes.title}</Title>
        <AppIdentity appName={appName} iconUrl={undefined} origin={origin} />
        {isReview && <Lead>{review.detail}</Lead>}
      </Heading>
      <ol className={styles.list}>
        {calls.map((call, position) => (
          <Call
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
            key={position}
            call={call}
            chain={chain}
            outcome={isReview ? undefined : state.outcomes[position]}
          />
        ))}
      </ol>
      <Facts>
        <Fact term={total}>
          <bdi dir="ltr">{money(sum)}</bdi>
        </Fact>
        <Fact term={from}>
          <Address address={state.from} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
        <Fact term={network}>{chain.name ?? unknownNetwork({ id: String(chain.id) })}</Fact>
      </Facts>
      <Foot>
        <Button
          busy={isReview && state.isGoingOn && review.goOn}
          onPress={() => send(isReview ? 'goOn' : 'leave')}
        >
          {isReview ? review.goOn : outcomes.leave}
        </Button>
      </Foot>
    </Stack>
  )
}

type CallProps = {
  call: BatchEntry
  chain: Chain
  outcome: Outcome | undefined
}

function Call({ call: { to, value, hasData, hash }, chain, outcome }: CallProps) {
  const { kinds, results, explorer, to: toward } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const amount = useMoney(chain)(BigInt(value))
  const withData = value === '0' ? kinds.call : kinds.pay({ amount })
  const called = hasData ? withData : kinds.send({ amount })
  return (
    <li className={styles.call}>
      <p className={styles.line}>
        <span className={styles.kind}>{to === null ? kinds.create : called}</span>
        {outcome !== undefined && <span className={styles.outcome}>{results[outcome]}</span>}
      </p>
      {to !== null && (
        <Note>
          {toward} <Address address={to} copyLabel={address.copy} copiedLabel={address.copied} isWhole />
        </Note>
      )}
      {outcome !== undefined && hash !== null && (
        <Group>
          <OptionLink href={`${chain.explorerUrl}/tx/${hash}`} label={explorer} title={chain.explorerUrl} />
        </Group>
      )}
    </li>
  )
}

/** Whole, as whatever is approved is. */
function useMoney(chain: Chain): (amount: bigint) => string {
  const { smallest } = useTexts(texts)
  return (amount) =>
    chain.symbol === undefined
      ? smallest({ amount: String(amount) })
      : `${formatExact(amount, chain.decimals)} ${chain.symbol}`
}
