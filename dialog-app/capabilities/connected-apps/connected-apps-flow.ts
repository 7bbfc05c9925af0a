/**
 * The user sees which apps may use their wallet, and for what, and ends that. `connected-apps-state.ts` decides what comes next; this
 * does it.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { providerRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { rejectedError } from '../../approval/rejection.ts'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import { allowsDappConnections } from '../../host/settings.ts'
import type { ConnectedApp } from './connected-apps-screen.tsx'
import {
  type Connected,
  type ListEffect,
  type ListEvent,
  type ListState,
  listStep,
  shownList,
  shownQuestion,
  unread,
} from './connected-apps-state.ts'
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
    const connects = allowsDappConnections(settings())

    const machine = createMachine<ListState, ListEvent, ListEffect>({
      initial: unread,
      step: listStep,
      draw,
      ...partOf(handle),
      effects: {
        read,
        connect,
        ask() {
          const view = questionView(machine.state())
          if (view) handle.go(view)
        },
        end: ({ one }) => end(one),
        back: () => handle.back(),
      },
    })

    function draw(state: ListState) {
      const view = screen(connectedAppsScreen, shownList(state, connects), {
        retry: () => machine.send({ type: 'begin' }),
        end: (id) => machine.send({ type: 'choose', one: { of: 'app', id } }),
        endDapp: (id) => machine.send({ type: 'choose', one: { of: 'dapp', id } }),
        connect: () => machine.send({ type: 'connect' }),
      })
      const question = questionView(state)
      if (!handle.isAt(connectedAppsScreen) && !handle.isAt(disconnectScreen)) return handle.go(view)
      handle.update(view)
      if (question) handle.update(question)
    }

    function questionView(state: ListState) {
      const question = shownQuestion(state)
      return (
        question &&
        screen(disconnectScreen, question, { end: () => machine.send({ type: 'end' }), keep: handle.back })
      )
    }

    async function read(): Promise<ListEvent> {
      try {
        const [{ apps }, dapps] = await Promise.all([
          settings().app.crossAppProvider
            ? api.call(providerRoutes.connectedApps, undefined, { signal })
            : { apps: [] },
          connects ? connections.list() : [],
        ])
        return { type: 'read', apps: apps.map(shown), dapps }
      } catch {
        return { type: 'not read' }
      }
    }

    async function connect(): Promise<ListEvent | undefined> {
      try {
        const name = await connections.connect(handle)
        return name === undefined ? undefined : { type: 'connected', name, dapps: await connections.list() }
      } catch {
        // It was closed, with all that is below.
        return undefined
      }
    }

    async function readDapps() {
      machine.send({ type: 'dapps read', dapps: await connections.list() })
    }

    async function end({ of, id }: Connected): Promise<ListEvent> {
      try {
        if (of === 'app') await endApp(id)
        else await connections.end(id)
        return { type: 'ended' }
      } catch {
        return { type: 'not ended' }
      }
    }

    async function endApp(id: string) {
      try {
        await api.call(providerRoutes.endConnectedApp, { id }, { signal })
      } catch (error) {
        // Whoever ended it before, it has ended.
        if (toLatchkeyError(error, 'error', '').code !== 'not_found') throw error
      }
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
        machine.send({ type: 'begin' })
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
