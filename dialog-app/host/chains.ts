/**
 * Which chains a page may work on, and which of them the wallet is on. The operator names where each is asked; a host
 * chooses among those.
 */
import type { Settings } from './settings.ts'

/** Of Ethereum itself, where nobody chose anything. */
const MAINNET = 1

/** In the order of the host, where it has one: those that the operator's app can ask. */
export function usableChains({ app, config }: Settings): readonly number[] {
  const asked = Object.keys(app.rpcUrls).map(Number)
  return config.supportedChains?.filter((id) => asked.includes(id)) ?? asked
}

/** Where its page moved it, while the app has that chain; else where a page begins. */
export function currentChain(settings: Settings): number {
  const { defaultChain, supportedChains } = settings.config
  const { chosenChain } = settings
  const usable = usableChains(settings)
  if (chosenChain !== undefined && usable.includes(chosenChain)) return chosenChain
  return defaultChain ?? supportedChains?.[0] ?? usable[0] ?? MAINNET
}
