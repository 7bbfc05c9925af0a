import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { allowsDappConnections } from '../../host/settings.ts'
import { type DappBrowser, ownBrowser } from './browser.ts'
import type { OpenDappClient } from './dapp-client.ts'
import type { Kept } from './kept.ts'
import { rememberedUser } from './remembered-user.ts'

/** Loads the official client on demand, because it is larger than the rest of the dialog. */
const officialClient =
  (kept: Kept): OpenDappClient =>
  async (...call) =>
    (await import('./lazy/dapp-client/wallet-client.ts')).openWalletClient(kept)(...call)

/** Connects the wallet to dapps by a link that the user pastes. */
export const dappConnectionsIn = (
  browser: DappBrowser,
  openClient: (kept: Kept) => OpenDappClient = officialClient,
) =>
  defineCapability({
    name: 'dapp-connections',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const { session, settings, whenIdle } = ports
      const remembered = rememberedUser(ports)
      const connections = loadable(async () => {
        const [{ createConnections }, { keptIn }] = await Promise.all([
          import('./connections.ts'),
          import('./kept.ts'),
        ])
        const { databases, hold } = browser
        const dialogOrigin = globalThis.location?.origin ?? ''
        const openKept = keptIn(databases)
        return createConnections({ ...ports, dialogOrigin, remembered, openKept, openClient, hold })
      })

      /** Resumes the dapp connections of the current user, and deletes those of another user. */
      function resumeOrForget() {
        const userId = remembered.read()
        const state = session.state()
        if (userId === undefined || (state.status !== 'authenticated' && state.status !== 'visitor')) return
        const isTheirs = state.status === 'authenticated' && state.user.id === userId
        if (isTheirs && !allowsDappConnections(settings())) return
        ports
          .load(connections.load)
          .then((loaded) => (isTheirs ? loaded.resume() : loaded.forget(userId)))
          .catch(() => {})
      }
      session.subscribe(resumeOrForget)
      whenIdle(resumeOrForget)

      return {
        dapps: {
          list: async () => (await ports.load(connections.load)).list(),
          end: async (id) => (await ports.load(connections.load)).end(id),
          async connect(screens) {
            const [loaded, { connectDapp }] = await ports.load(() =>
              Promise.all([connections.load(), import('./connect-dapp.ts')]),
            )
            return screens.run(connectDapp(ports, loaded))
          },
          onChange(listener) {
            let end = () => {}
            let isOver = false
            connections.load().then(
              (loaded) => {
                if (!isOver) end = loaded.onChange(listener)
              },
              () => {},
            )
            return () => {
              isOver = true
              end()
            }
          },
        },
      }
    },
  })

export const dappConnections = dappConnectionsIn(ownBrowser)
