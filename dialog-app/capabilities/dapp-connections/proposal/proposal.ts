/**
 * Checks whether this wallet meets the namespace requirements of a dapp. Supports only the Ethereum chains of the app.
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */
import type { DappProposal, GrantedNamespaces, Namespaces } from '../dapp-client.ts'
import { type Refusal, refusals } from '../refusals.ts'

/** The supported methods. Only the first three need the user. */
export const offeredMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'eth_accounts',
  'eth_requestAccounts',
  'eth_chainId',
  'wallet_switchEthereumChain',
] as const
const offeredEvents = ['accountsChanged', 'chainChanged'] as const

/** The kind of required feature that the wallet lacks. */
export type Lack = 'namespaces' | 'chains' | 'methods' | 'events'
export type Judged =
  | { is: 'possible'; chainIds: readonly number[] }
  | {
      is: 'impossible'
      lack: Lack
      names: readonly string[]
      refusal: Refusal
    }

/** `usable`: the chains that the app supports. */
export function judgeProposal(
  { required, optional }: Pick<DappProposal, 'required' | 'optional'>,
  usable: readonly number[],
): Judged {
  const demanded = flattened(required)
  const wished = flattened(optional)
  const isOther = (key: string) => getNamespace(key) !== 'eip155'
  const others = Object.keys(required).map(getNamespace).filter(isOther)
  if (others.length > 0) return impossible('namespaces', others)
  const isUsable = (chain: string) => usable.some((id) => chain === chainName(id))
  const missing = (lack: Lack, names: readonly string[], has: (name: string) => boolean) => {
    const lacking = names.filter((name) => !has(name))
    return lacking.length === 0 ? undefined : impossible(lack, lacking)
  }
  const lacking =
    missing('chains', demanded.chains, isUsable) ??
    missing('methods', demanded.methods, (name) => offeredMethods.some((each) => each === name)) ??
    missing('events', demanded.events, (name) => offeredEvents.some((each) => each === name))
  if (lacking) return lacking
  const chains = [...new Set([...demanded.chains, ...wished.chains])]
  const shared = chains.filter(isUsable)
  if (shared.length > 0) return { is: 'possible', chainIds: chainIdsIn(shared) }
  return chains.length > 0
    ? impossible('chains', chains)
    : impossible('namespaces', Object.keys(optional).map(getNamespace))
}

export function granted(chainIds: readonly number[], address: string): GrantedNamespaces {
  const chains = chainIds.map(chainName)
  return {
    eip155: {
      chains,
      accounts: chains.map((chain) => `${chain}:${address}`),
      methods: [...offeredMethods],
      events: [...offeredEvents],
    },
  }
}

export const chainName = (id: number) => `eip155:${id}`

const ethereumChain = /^eip155:([1-9]\d{0,14})$/
/** Parses a chain of CAIP-2. Returns undefined for a chain of another namespace. */
export function parseChainId(chain: string): number | undefined {
  const [, id] = ethereumChain.exec(chain) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Returns the ids of the Ethereum chains in a list, each once. */
export const chainIdsIn = (chains: readonly string[]): readonly number[] => [
  ...new Set(chains.flatMap((chain) => parseChainId(chain) ?? [])),
]

const getNamespace = (key: string) => key.split(':')[0] ?? key

/** Merges the Ethereum namespaces. A key is a namespace with chains, or a single chain. */
function flattened(namespaces: Namespaces) {
  const ethereum = Object.entries(namespaces).filter(([key]) => getNamespace(key) === 'eip155')
  return {
    chains: ethereum.flatMap(([key, { chains = [] }]) => (key.includes(':') ? [key] : chains)),
    methods: ethereum.flatMap(([, { methods }]) => methods),
    events: ethereum.flatMap(([, { events }]) => events),
  }
}

const impossible = (lack: Lack, names: readonly string[]): Judged => ({
  is: 'impossible',
  lack,
  names: [...new Set(names)],
  refusal: refusals[lack],
})
