/**
 * Login, linking and signing with wallets from other apps. Only this object loads at the start. The rest loads when a
 * host page names a provider or uses such a wallet.
 */
import { isCrossAppProvider, product } from '@latchkey/protocol'
import { type Loadable, loadable } from '../../browser/loadable.ts'
import { type CapabilityPorts, defineCapability } from '../../contract/capability.ts'
import type { CrossAppCode } from './code.ts'
import type { CrossAppBrowser } from './parts.ts'

/** Creates the capability. Tests pass a fake browser. */
export const crossAppIn = (browser?: CrossAppBrowser) =>
  defineCapability({
    name: 'cross-app',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'at start',
    loadedFor: 'nobody',
    bring(ports) {
      const code = loadable(async () => (await import('./code.ts')).createCode(ports, browser))
      const loaded = () => ports.load(code.load)
      forgetOfOthers(ports, code)
      return {
        load: code.load,
        loginNamed: (name) =>
          isCrossAppProvider(name)
            ? {
                method: name,
                appSetting: undefined,
                shows: 'row',
                isThere: async (asker) => {
                  const { parts } = await loaded()
                  return parts.connections.of(name, asker).then(
                    () => true,
                    (error: unknown) => {
                      console.error(`${product.name}: ${name} is not offered: ${error}`)
                      return false
                    },
                  )
                },
                load: async () => (await code.load()).method(name),
              }
            : undefined,
        hostCalls: {
          names: ['linkCrossAppAccount', 'unlinkCrossAppAccount'],
          load: async () => (await code.load()).served,
        },
        connectedWallets: {
          find: async (...asked) => (await loaded()).wallets.find(...asked),
          ask: async (...asked) => (await loaded()).wallets.ask(...asked),
        },
        account: [
          {
            isHere: (_settings, { linkedAccounts }) =>
              linkedAccounts.some(({ type }) => type === 'cross_app'),
            async load() {
              const [{ parts }, { createAccountEntry }] = await Promise.all([
                code.load(),
                import('./account-entry.tsx'),
              ])
              return createAccountEntry(parts)
            },
          },
        ],
      }
    },
  })

export const crossApp = crossAppIn()

/** Deletes provider tokens after a logout or a change of user. Loads the code only if tokens exist. */
function forgetOfOthers(
  { session, store, settings, load }: CapabilityPorts,
  code: Loadable<CrossAppCode>,
): void {
  const holder = () => {
    try {
      return store.read(product.storageName(settings().app.id, 'cross-app-tokens'))
    } catch {
      return null
    }
  }
  session.subscribe((state) => {
    const isIn = state.status === 'authenticated'
    const whose = holder()
    const isOthers = whose !== null && !(isIn && state.user.id === whose)
    // Without storage, the tokens are in the memory of the loaded code.
    if (!isOthers && (isIn || !code.loaded())) return
    load(code.load).then(
      ({ parts }) => parts.tokens.forgetAll(),
      () => {},
    )
  })
}
