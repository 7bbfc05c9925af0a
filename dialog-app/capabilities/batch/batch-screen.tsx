import type { Chain } from '@latchkey/protocol/chains'
import { formatExact } from '@latchkey/protocol/reading'
import { type ReactNode, useState } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
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

export type BatchFacts = {
  appName: string
  origin: string | null
  chain: Chain
  from: string
  calls: readonly BatchEntry[]
}

type BatchContent = {
  facts: BatchFacts
  /** The outcome of each call, or undefined for a review. */
  outcomes: readonly Outcome[] | undefined
}

/** `onPress` receives the function that closes the screen. */
type Props = ScreenProps<void, BatchContent & { onPress: (close: () => void) => void }>

export function BatchScreen({ screen, onPress, ...shown }: Props) {
  const [isPressed, setPressed] = useState(false)
  function press() {
    setPressed(true)
    onPress(screen.resolve)
  }
  return <BatchView {...shown} isBusy={isPressed} onPress={press} />
}

export type BatchViewProps = BatchContent & { isBusy: boolean; onPress: () => void }

export function BatchView({ facts, outcomes, isBusy, onPress }: BatchViewProps) {
  const { review, outcomes: results } = useTexts(texts)
  const isReview = outcomes === undefined
  return (
    <BatchLayout
      facts={facts}
      title={isReview ? review.title({ count: facts.calls.length }) : results.title}
      detail={isReview ? review.detail : undefined}
      call={(call, position) => <Call call={call} chain={facts.chain} outcome={outcomes?.[position]} />}
    >
      <Foot>
        <Button busy={isReview && isBusy && review.goOn} onPress={onPress}>
          {isReview ? review.goOn : results.leave}
        </Button>
      </Foot>
    </BatchLayout>
  )
}

type BatchLayoutProps = {
  facts: BatchFacts
  title: string
  detail: string | undefined
  /** Renders one call. */
  call: (call: BatchEntry, position: number) => ReactNode
  moreFacts?: ReactNode
  children: ReactNode
}

/** Lists the calls with their sum, below the requester. */
export function BatchLayout({ facts, title, detail, call, moreFacts, children }: BatchLayoutProps) {
  const { total, from, network, unknownNetwork } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const { chain, calls, appName, origin } = facts
  const money = useMoney(chain)
  const sum = calls.reduce((amount, { value }) => amount + BigInt(value), 0n)
  return (
    <Stack>
      <Heading>
        <Title>{title}</Title>
        <AppIdentity appName={appName} iconUrl={undefined} origin={origin} />
        {detail !== undefined && <Lead>{detail}</Lead>}
      </Heading>
      <ol className={styles.list}>
        {calls.map((entry, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the calls never change their order
          <li key={position} className={styles.call}>
            {call(entry, position)}
          </li>
        ))}
      </ol>
      <Facts>
        <Fact term={total}>
          <bdi dir="ltr">{money(sum)}</bdi>
        </Fact>
        <Fact term={from}>
          <Address address={facts.from} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
        <Fact term={network}>{chain.name ?? unknownNetwork({ id: String(chain.id) })}</Fact>
        {moreFacts}
      </Facts>
      {children}
    </Stack>
  )
}

type CallProps = {
  call: BatchEntry
  chain: Chain
  outcome: Outcome | undefined
}

function Call({ call: { to, value, hasData, hash }, chain, outcome }: CallProps) {
  const { kinds, results, explorer, to: recipient } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const amount = useMoney(chain)(BigInt(value))
  const withData = value === '0' ? kinds.call : kinds.pay({ amount })
  const kind = hasData ? withData : kinds.send({ amount })
  return (
    <>
      <p className={styles.line}>
        <span className={styles.kind}>{to === null ? kinds.create : kind}</span>
        {outcome !== undefined && <span className={styles.outcome}>{results[outcome]}</span>}
      </p>
      {to !== null && (
        <Note>
          {recipient} <Address address={to} copyLabel={address.copy} copiedLabel={address.copied} isWhole />
        </Note>
      )}
      {outcome !== undefined && hash !== null && (
        <Group>
          <OptionLink href={`${chain.explorerUrl}/tx/${hash}`} label={explorer} title={chain.explorerUrl} />
        </Group>
      )}
    </>
  )
}

/** Formats amounts with every digit, like every approved value. */
export function useMoney(chain: Chain): (amount: bigint) => string {
  const { smallest } = useTexts(texts)
  return (amount) =>
    chain.symbol === undefined
      ? smallest({ amount: String(amount) })
      : `${formatExact(amount, chain.decimals)} ${chain.symbol}`
}
