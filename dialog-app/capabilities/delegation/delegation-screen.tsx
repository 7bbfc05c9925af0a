/** Lists the contracts that the wallet runs, by network. The user removes one, or replaces a foreign one. */
import type { WalletAccount } from '@latchkey/protocol'
import type { Chain } from '@latchkey/protocol/chains'
import { batchAccount, type Delegation, noDelegate } from '@latchkey/protocol/wallet'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import { useWaits } from '../../app/screen-options.ts'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { planChange } from './change-delegate.ts'
import styles from './delegation-screen.module.css'
import { type ChainDelegation, type Delegations, delegationsKey, useDelegations } from './delegations.ts'
import { changeDelegateScreen } from './screens.ts'
import { texts } from './texts.arb'

type Props = { ports: CapabilityPorts; account: WalletAccount }

export const DelegationScreen = (props: Props) => (
  <QueryProvider>
    <ListedDelegations {...props} />
  </QueryProvider>
)

type Delegate = Delegation['delegate']

function ListedDelegations({ ports, account }: Props) {
  const { screens, handle, services } = useDialog()
  const queryClient = useQueryClient()
  const { address } = account
  const { data, isError, isPending, refetch } = useDelegations(address)
  const [preparing, setPreparing] = useState<DelegationViewProps['preparing']>()
  const [outcome, setOutcome] = useState<DelegationViewProps['outcome']>()
  useWaits(isPending)

  async function change({ chain, contract }: ChainDelegation, delegate: Delegate) {
    setOutcome(undefined)
    setPreparing({ chainId: chain.id, delegate })
    const planned = { account, chain, contract, delegate }
    const plan = await planChange(ports, planned, handle.signal).finally(() => setPreparing(undefined))
    if (!(await screens.open(changeDelegateScreen, { ports, plan }))) return
    queryClient.setQueryData<Delegations>(delegationsKey(address), (shown) => shown && applied(shown, plan))
    setOutcome({ type: delegate === noDelegate ? 'removed' : 'replaced', chain })
  }

  return (
    <DelegationView
      status={isPending ? 'pending' : isError ? 'error' : 'success'}
      delegations={data?.delegations ?? []}
      unread={data?.unread ?? []}
      sponsoredChains={services.settings().app.sponsoredChains}
      preparing={preparing}
      outcome={outcome}
      onRetry={() => void refetch()}
      onChange={(delegation, delegate) =>
        void change(delegation, delegate).catch(() => setOutcome({ type: 'unprepared' }))
      }
    />
  )
}

function applied(
  { delegations, unread }: Delegations,
  { chain, delegation }: { chain: Chain; delegation: Delegation },
) {
  const others = delegations.filter((each) => each.chain.id !== chain.id)
  const contract = delegation.delegate
  return { unread, delegations: contract === noDelegate ? others : [...others, { chain, contract }] }
}

export type DelegationViewProps = Delegations & {
  status: 'pending' | 'error' | 'success'
  /** Only there the account contract may replace another one. */
  sponsoredChains: number[]
  /** The change that is being prepared. */
  preparing: { chainId: number; delegate: Delegate } | undefined
  /** The result of the last change. */
  outcome: { type: 'removed' | 'replaced'; chain: Chain } | { type: 'unprepared' } | undefined
  onRetry: () => void
  onChange: (delegation: ChainDelegation, delegate: Delegate) => void
}

export function DelegationView(props: DelegationViewProps) {
  const { status, delegations, unread, outcome, onRetry } = props
  const { list } = useTexts(texts)
  const getName = useNetworkName()
  if (status === 'pending') {
    return (
      <Waiting title={list.title} detail={list.reading}>
        <WalletFace />
      </Waiting>
    )
  }
  if (status === 'error') {
    const { title, detail, retry } = list.failed
    return <Failure title={title} detail={detail} button={retry} onPress={onRetry} />
  }
  return (
    <Stack>
      <Heading>
        <Title>{list.title}</Title>
        <Lead>{delegations.length === 0 ? list.none : list.detail}</Lead>
      </Heading>
      {outcome && (
        <Banner kind={outcome.type === 'unprepared' ? 'danger' : 'info'}>
          {outcome.type === 'unprepared'
            ? list.unprepared
            : list[outcome.type]({ network: getName(outcome.chain) })}
        </Banner>
      )}
      <ul className={styles.list}>
        {delegations.map((delegation) => (
          <DelegationRow key={delegation.chain.id} {...props} delegation={delegation} />
        ))}
      </ul>
      {unread.length > 0 && <Note>{list.unread({ networks: unread.map(getName).join(', ') })}</Note>}
    </Stack>
  )
}

type RowProps = Pick<DelegationViewProps, 'sponsoredChains' | 'preparing' | 'onChange'> & {
  delegation: ChainDelegation
}

function DelegationRow({ delegation, sponsoredChains, preparing, onChange }: RowProps) {
  const { list } = useTexts(texts)
  const { address } = useTexts(shellTexts)
  const getName = useNetworkName()
  const nameId = useId()
  const { chain, contract } = delegation
  const isOwn = contract === batchAccount.address
  const change = (delegate: Delegate, label: string, kind: 'quiet' | 'primary') => {
    const isPreparing = preparing?.chainId === chain.id && preparing.delegate === delegate
    return (
      <Button
        kind={kind}
        describedBy={nameId}
        busy={isPreparing && list.preparing}
        onPress={() => preparing ?? onChange(delegation, delegate)}
      >
        {label}
      </Button>
    )
  }
  return (
    <li className={styles.network}>
      <bdi className={styles.name} id={nameId}>
        {getName(chain)}
      </bdi>
      {isOwn ? <Note>{list.own}</Note> : <Banner kind="warning">{list.foreign}</Banner>}
      <Note>
        <Address address={contract} copyLabel={address.copy} copiedLabel={address.copied} isWhole={!isOwn} />
      </Note>
      {!isOwn && sponsoredChains.includes(chain.id) && change(batchAccount.address, list.replace, 'primary')}
      {change(noDelegate, list.remove, 'quiet')}
    </li>
  )
}

export function useNetworkName(): (chain: Chain) => string {
  const { unknownNetwork } = useTexts(texts)
  return ({ id, name }) => name ?? unknownNetwork({ id: String(id) })
}
