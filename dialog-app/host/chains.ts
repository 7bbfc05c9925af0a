/**
 * The chains that a host page may use, and the wallet's current chain. The operator configures an RPC node per chain;
 * the host page chooses among those chains.
 */
import type { Settings } from './settings.ts'

/** Ethereum mainnet, the default. */
const MAINNET = 1

/** Returns the chains that the app has RPC nodes for, in the host page's order if it gives one. */
export function usableChains({ app, config }: Settings): readonly number[] {
  const available = Object.keys(app.rpcUrls).map(Number)
  return config.supportedChains?.filter((id) => available.includes(id)) ?? available
}

/** Returns the chain that the host page switched to if the app still has it, or the default chain. */
export function currentChain(settings: Settings): number {
  const { defaultChain, supportedChains } = settings.config
  const { chosenChain } = settings
  const usable = usableChains(settings)
  if (chosenChain !== undefined && usable.includes(chosenChain)) return chosenChain
  return defaultChain ?? supportedChains?.[0] ?? usable[0] ?? MAINNET
}
