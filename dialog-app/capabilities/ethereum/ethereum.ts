import { product } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { type KeyValueStore, tabStore } from '../../browser/ports.ts'
import type { Fetch } from '../../chains/rpc.ts'
import { type CapabilityPorts, defineCapability } from '../../contract/capability.ts'

/** `fetch` sends RPC requests, and `tab` is the session storage. Both default to the browser's own. */
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
 * Restores the chain that the page last switched to, and returns a function that switches and stores it. The storage
 * belongs to the tab, so the chain survives a reload and tabs do not affect each other. Without storage, the chain
 * lasts until the page unloads. A chain that the app no longer supports is ignored.
 */
function rememberChain(
  { settings, chooseChain }: Pick<CapabilityPorts, 'settings' | 'chooseChain'>,
  tab: KeyValueStore = tabStore,
): (chainId: number) => void {
  const { app, hostOrigin } = settings()
  const name = product.storageName(app.id, hostOrigin ?? '', 'chain')
  const storedChainId = Number(attempt(() => tab.read(name)))
  if (Number.isSafeInteger(storedChainId) && storedChainId > 0) chooseChain(storedChainId)
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
