/**
 * Which chains a page may work on, and which of them the wallet is on. The operator names where each is asked; a host
 * chooses among those.
 */
import type { KeyValueStore } from '../ports.ts'
import type { Settings } from './settings.ts'

/** Of Ethereum itself, where nobody chose anything. */
const MAINNET = 1
const storedUnder = 'chain'

/** In the order of the host, where it has one: those that the operator's app can ask. */
export function usableChains({ app, config }: Settings): readonly number[] {
  const asked = Object.keys(app.rpcUrls).map(Number)
  return config.supportedChains?.filter((id) => asked.includes(id)) ?? asked
}

/** One that the page may not work on any more is no choice. */
export function currentChain(settings: Settings, store: Pick<KeyValueStore, 'read'>): number {
  const { defaultChain, supportedChains } = settings.config
  const usable = usableChains(settings)
  const chosen = Number(store.read(storedUnder))
  if (usable.includes(chosen)) return chosen
  return defaultChain ?? supportedChains?.[0] ?? usable[0] ?? MAINNET
}

export const chooseChain = (id: number, store: Pick<KeyValueStore, 'write'>) =>
  store.write(storedUnder, String(id))
