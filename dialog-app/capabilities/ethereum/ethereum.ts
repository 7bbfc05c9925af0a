import { product } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { type KeyValueStore, tabStore } from '../../browser/ports.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { type CapabilityPorts, defineCapability } from '../../contract/capability.ts'

/** `fetch` is what chains are asked by, and `tab` what this tab keeps; the browser's own where none is given. */
export const ethereumThrough = (fetch?: Fetch, tab?: KeyValueStore) =>
  defineCapability({
    name: 'ethereum',
    loadedFor: 'nobody',
    bring(ports) {
      const keepChain = rememberChain(ports, tab)
      const provider = loadable(async () =>
        (await import('./provider.ts')).createProvider(ports, keepChain, fetch),
      )
      return {
        load: provider.load,
        hostCalls: {
          names: ['ethereumState', 'ethereumRequest', 'ethereumRead', 'ethereumRequestForUser'],
          load: provider.load,
        },
      }
    },
  })

export const ethereum = ethereumThrough()

/**
 * The chain that a page moved its wallet to. It is the tab's: it survives a reload, and two tabs never move each other.
 * A browser that keeps nothing for us leaves it to this page.
 *
 * Puts the wallet on the chain of before, and gives what moves it. One that is no longer the app's does not count.
 */
function rememberChain(
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
