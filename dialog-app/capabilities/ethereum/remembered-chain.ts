/**
 * The chain that a page moved its wallet to. It is the tab's: it survives a reload, and two tabs never move each other.
 * A browser that keeps nothing for us leaves it to this page.
 */
import { product } from '@latchkey/protocol'
import { type KeyValueStore, tabStore } from '../../browser/ports.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'

/** Puts the wallet on the chain of before, and gives what moves it. One that is no longer the app's does not count. */
export function rememberChain(
  { settings, chooseChain }: Pick<CapabilityPorts, 'settings' | 'chooseChain'>,
  tab: KeyValueStore = tabStore,
): (chainId: number) => void {
  const { app, hostOrigin } = settings()
  const name = product.storageName(app.id, hostOrigin ?? '', 'chain')
  const kept = Number(attempt(() => tab.read(name)))
  if (Number.isSafeInteger(kept) && kept > 0) chooseChain(kept)
  return (chainId) => {
    chooseChain(chainId)
    attempt(() => tab.write(name, String(chainId)))
  }
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
