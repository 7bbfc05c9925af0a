import { getChain } from '@latchkey/protocol/chains'
import { batchAccount, type Delegation, noDelegate } from '@latchkey/protocol/wallet'
import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { Row } from './account-entry.tsx'
import { ChangeDelegateView, type ChangeDelegateViewProps } from './change-delegate-screen.tsx'
import { DelegationView, type DelegationViewProps } from './delegation-screen.tsx'
import { changeDelegateScreen, delegationScreen } from './screens.ts'

const chains = { chains: [] }
const ethereum = getChain(chains, 1)
const base = getChain(chains, 8453)
const foreign = '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b'
const own = { chain: base, contract: batchAccount.address }
const other = { chain: ethereum, contract: foreign }

const list = (caption: string, change: Partial<DelegationViewProps>): Picture => ({
  caption: `Contracts of the wallet, ${caption}`,
  screen: picturedView(
    delegationScreen,
    DelegationView,
    (press): DelegationViewProps => ({
      status: 'success',
      delegations: [own, other],
      unread: [],
      sponsoredChains: [1, 8453],
      preparing: undefined,
      outcome: undefined,
      onRetry: press('retry'),
      onChange: press('change'),
      ...change,
    }),
  ),
  standalone: true,
  canGoBack: true,
})

const removal: Delegation = { chainId: 8453, delegate: noDelegate, nonce: 12, fees: null }
const ownFees = { gas: 81_000, maxFee: '2500000000', priorityFee: '1000000000' }
const replacement: Delegation = { ...removal, chainId: 1, delegate: batchAccount.address }

const change = (
  caption: string,
  delegation: Delegation,
  status: ChangeDelegateViewProps['status'] = 'review',
): Picture => ({
  caption: `Change of a contract, ${caption}`,
  screen: picturedView(
    changeDelegateScreen,
    ChangeDelegateView,
    (press, send): ChangeDelegateViewProps => ({
      status,
      plan: { ...(delegation.chainId === 1 ? other : own), delegation },
      approval: { by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } },
      handlers: pictureHandlers(press, send),
      onKeep: press('keep'),
    }),
    status === 'sending' ? noWay : undefined,
  ),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    list('own and foreign', {}),
    list('with a change in preparation', { preparing: { chainId: 8453, delegate: noDelegate } }),
    list('one removed', { delegations: [other], outcome: { type: 'removed', chain: base } }),
    list('a change that failed', { outcome: { type: 'unprepared' } }),
    list('one network unread', { delegations: [own], unread: [ethereum] }),
    list('none', { delegations: [] }),
    list('reading', { status: 'pending' }),
    list('unread', { status: 'error' }),
    change('removal', removal),
    change('removal, sending', removal, 'sending'),
    change('removal with a fee', { ...removal, fees: ownFees }),
    change('removal without coins', { ...removal, fees: ownFees }, 'poor'),
    change('replacement', replacement),
    change('failed', removal, 'failed'),
    change('undecided', removal, 'unknown'),
  ],
  account: [Row],
}
