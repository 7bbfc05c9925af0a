/** Which apps may use the user's wallet, for what, and the end of that. */
import { toLatchkeyError } from '@latchkey/protocol'
import { providerRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { rejectedError } from '../../approval/rejection.ts'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import type { ConnectedApp, ConnectedAppsState } from './connected-apps-screen.tsx'
import type { Ending } from './disconnect-screen.tsx'
import { accountEntry, connectedAppsScreen, disconnectScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api'>

export const showConnectedApps =
  (ports: Ports): ShowAccountEntry =>
  ({ card, isUsable }) => {
    const open = () => void card.interrupt(connectedAppsFlow(ports)).catch(() => {})
    return usablePart(accountEntry, {}, { open }, isUsable)
  }

const connectedAppsFlow =
  ({ api }: Ports): Flow<void> =>
  (handle) => {
    const { signal } = handle
    let apps: readonly ConnectedApp[] = []

    function show(state: ConnectedAppsState) {
      const view = screen(connectedAppsScreen, state, { retry: () => void read(), end: ask })
      if (handle.isAt(connectedAppsScreen) || handle.isAt(disconnectScreen)) handle.update(view)
      else handle.go(view)
    }

    async function read() {
      show({ status: 'reading' })
      try {
        const answer = await api.call(providerRoutes.connectedApps, undefined, { signal })
        apps = answer.apps.map(shown)
        show({ status: 'read', apps, ended: undefined })
      } catch {
        if (!signal.aborted) show({ status: 'failed' })
      }
    }

    function ask(id: string) {
      const app = apps.find((each) => each.id === id)
      if (!app) return
      const view = (ending: Ending) =>
        screen(disconnectScreen, { name: app.name, ending }, { end: () => void end(), keep: handle.back })

      let isUnderWay = false
      async function end() {
        if (isUnderWay) return
        isUnderWay = true
        handle.update(view('under way'))
        try {
          await api.call(providerRoutes.endConnectedApp, { id }, { signal })
        } catch (error) {
          if (signal.aborted) return
          // Whoever ended it before, it has ended.
          if (toLatchkeyError(error, 'error', '').code !== 'not_found') {
            isUnderWay = false
            return handle.update(view('failed'))
          }
        }
        apps = apps.filter((each) => each.id !== id)
        show({ status: 'read', apps, ended: app?.name })
        handle.back()
      }

      handle.go(view('asked'))
    }

    return {
      kind: 'connected_apps',
      run: read,
      onClose: () => failed(rejectedError()),
      onBack: () => done(undefined),
    }
  }

type Listed = RouteOutput<typeof providerRoutes.connectedApps>['apps'][number]

const shown = ({ createdAt, lastUsedAt, ...app }: Listed): ConnectedApp => ({
  ...app,
  sinceMs: createdAt * 1_000,
  lastUsedMs: lastUsedAt === null ? undefined : lastUsedAt * 1_000,
})
