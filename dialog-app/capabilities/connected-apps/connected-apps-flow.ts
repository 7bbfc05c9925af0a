/** Which apps may use the user's wallet, for what, and the end of that. */
import { toLatchkeyError } from '@latchkey/protocol'
import { providerRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { rejectedError } from '../../approval/rejection.ts'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ConnectedDapp } from '../../contract/dapps.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import { connectsDapps } from '../../host/settings.ts'
import type { ConnectedApp, ConnectedAppsChange, ConnectedAppsState } from './connected-apps-screen.tsx'
import type { Ending } from './disconnect-screen.tsx'
import { accountEntry, connectedAppsScreen, disconnectScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api' | 'dapps' | 'settings'>

export const showConnectedApps =
  (ports: Ports): ShowAccountEntry =>
  ({ card, isUsable }) => {
    const open = () => void card.interrupt(connectedAppsFlow(ports)).catch(() => {})
    return usablePart(accountEntry, {}, { open }, isUsable)
  }

const connectedAppsFlow =
  ({ api, dapps: connections, settings }: Ports): Flow<void> =>
  (handle) => {
    const { signal } = handle
    const connects = connectsDapps(settings())
    let apps: readonly ConnectedApp[] = []
    let dapps: readonly ConnectedDapp[] = []

    function show(state: ConnectedAppsState) {
      const view = screen(connectedAppsScreen, state, {
        retry: () => void read(),
        end: ask,
        endDapp: askOfDapp,
        connect: () => void connect(),
      })
      if (handle.isAt(connectedAppsScreen) || handle.isAt(disconnectScreen)) handle.update(view)
      else handle.go(view)
    }

    /** `change`: what has happened to one just now. */
    const showList = (change?: ConnectedAppsChange) => show({ status: 'read', apps, dapps, connects, change })

    async function read() {
      show({ status: 'reading' })
      try {
        const [answer, here] = await Promise.all([
          settings().app.crossAppProvider
            ? api.call(providerRoutes.connectedApps, undefined, { signal })
            : { apps: [] },
          connects ? connections.list() : [],
        ])
        apps = answer.apps.map(shown)
        dapps = here
        showList()
      } catch {
        if (!signal.aborted) show({ status: 'failed' })
      }
    }

    async function connect() {
      try {
        const name = await connections.connect(handle)
        if (name === undefined) return
        dapps = await connections.list()
        showList({ what: 'connected', name })
      } catch {
        // It was closed, with all that is below.
      }
    }

    /** Dapps come and go by themselves. */
    async function readDapps() {
      dapps = await connections.list()
      if (!signal.aborted && handle.isAt(connectedAppsScreen)) showList()
    }

    function ask(id: string) {
      const app = apps.find((each) => each.id === id)
      if (!app) return
      askToEnd(app.name, async () => {
        try {
          await api.call(providerRoutes.endConnectedApp, { id }, { signal })
        } catch (error) {
          // Whoever ended it before, it has ended.
          if (toLatchkeyError(error, 'error', '').code !== 'not_found') throw error
        }
        apps = apps.filter((each) => each.id !== id)
      })
    }
    function askOfDapp(id: string) {
      const dapp = dapps.find((each) => each.id === id)
      if (!dapp) return
      askToEnd(dapp.name, async () => {
        await connections.end(id)
        dapps = dapps.filter((each) => each.id !== id)
      })
    }

    function askToEnd(name: string, endIt: () => Promise<void>) {
      const view = (ending: Ending) =>
        screen(disconnectScreen, { name, ending }, { end: () => void end(), keep: handle.back })

      let isUnderWay = false
      async function end() {
        if (isUnderWay) return
        isUnderWay = true
        handle.update(view('under way'))
        try {
          await endIt()
        } catch {
          if (signal.aborted) return
          isUnderWay = false
          return handle.update(view('failed'))
        }
        showList({ what: 'ended', name })
        handle.back()
      }

      handle.go(view('asked'))
    }

    return {
      kind: 'connected_apps',
      isUnderOthers: true,
      run() {
        if (connects) {
          signal.addEventListener(
            'abort',
            connections.onChange(() => void readDapps().catch(() => {})),
          )
        }
        return read()
      },
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
