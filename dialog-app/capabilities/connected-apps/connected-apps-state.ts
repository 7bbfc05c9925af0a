/** Which apps and dapps a user sees that may use their wallet, as a machine: they are read, connected, and ended one at a time. */
import type { ConnectedDapp } from '../../contract/dapps.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ConnectedApp, ConnectedAppsChange, ConnectedAppsState } from './connected-apps-screen.tsx'
import type { DisconnectState, Ending } from './disconnect-screen.tsx'

/** An app is known to the server, a dapp to this browser. */
export type Connected = { of: 'app' | 'dapp'; id: string }

export type ListState = {
  phase:
    | { at: 'reading' }
    | { at: 'failed' }
    | { at: 'read' }
    /** The user is asked whether it ends. They may go back to the list without an answer. */
    | {
        at: 'ending'
        one: Connected
        name: string
        ending: Exclude<Ending, 'under way'>
      }
    | { at: 'ending under way'; one: Connected; name: string }
  apps: readonly ConnectedApp[]
  dapps: readonly ConnectedDapp[]
  /** What has happened to one just now. */
  change: ConnectedAppsChange | undefined
}

export type ListEvent =
  | { type: 'begin' }
  | {
      type: 'read'
      apps: readonly ConnectedApp[]
      dapps: readonly ConnectedDapp[]
    }
  | { type: 'not read' }
  /** Dapps come and go by themselves. */
  | { type: 'dapps read'; dapps: readonly ConnectedDapp[] }
  | { type: 'connect' }
  | { type: 'connected'; name: string; dapps: readonly ConnectedDapp[] }
  | { type: 'choose'; one: Connected }
  | { type: 'end' }
  | { type: 'ended' }
  | { type: 'not ended' }

export type ListEffect =
  | { type: 'read' }
  | { type: 'connect' }
  | { type: 'ask' }
  | { type: 'end'; one: Connected }
  | { type: 'back' }

export const unread: ListState = { phase: { at: 'reading' }, apps: [], dapps: [], change: undefined }

type Step = Next<ListState, ListEffect>
type Event<Type extends ListEvent['type']> = Extract<ListEvent, { type: Type }>

const begin = (state: ListState): Step => [{ ...state, phase: { at: 'reading' } }, { type: 'read' }]

function choose(state: ListState, { one }: Event<'choose'>): Step {
  const all = one.of === 'app' ? state.apps : state.dapps
  const name = all.find(({ id }) => id === one.id)?.name
  return name === undefined
    ? [state]
    : [{ ...state, phase: { at: 'ending', one, name, ending: 'asked' } }, { type: 'ask' }]
}

/** The list is there, though the user may be asked about one of it. */
const listed = {
  choose,
  connect: (state: ListState): Step => [state, { type: 'connect' }],
  connected: (state: ListState, { name, dapps }: Event<'connected'>): Step => [
    { ...state, phase: { at: 'read' }, dapps, change: { what: 'connected', name } },
  ],
  'dapps read': (state: ListState, { dapps }: Event<'dapps read'>): Step => [
    { ...state, dapps, change: undefined },
  ],
}

const table: Table<ListState, ListEvent, ListEffect> = {
  reading: {
    begin,
    read: (_, { apps, dapps }) => [{ phase: { at: 'read' }, apps, dapps, change: undefined }],
    'not read': (state) => [{ ...state, phase: { at: 'failed' } }],
  },
  failed: { begin },
  read: listed,
  ending: {
    ...listed,
    end: (state, _, { one, name }) => [
      { ...state, phase: { at: 'ending under way', one, name } },
      { type: 'end', one },
    ],
  },
  'ending under way': {
    'dapps read': listed['dapps read'],
    ended(state, _, { one: { of, id }, name }) {
      const others = <One extends { id: string }>(all: readonly One[]) => all.filter((each) => each.id !== id)
      const left =
        of === 'app'
          ? { apps: others(state.apps), dapps: state.dapps }
          : { apps: state.apps, dapps: others(state.dapps) }
      return [{ phase: { at: 'read' }, ...left, change: { what: 'ended', name } }, { type: 'back' }]
    },
    'not ended': (state, _, { one, name }) => [
      { ...state, phase: { at: 'ending', one, name, ending: 'failed' } },
    ],
  },
}

export const listStep = stepBy(table)

/** `connects`: whether another dapp can be connected. */
export function shownList({ phase, apps, dapps, change }: ListState, connects: boolean): ConnectedAppsState {
  return phase.at === 'reading' || phase.at === 'failed'
    ? { status: phase.at }
    : { status: 'read', apps, dapps, connects, change }
}

/** Undefined where the user is asked about none. */
export function shownQuestion({ phase }: ListState): DisconnectState | undefined {
  if (phase.at === 'ending') return { name: phase.name, ending: phase.ending }
  return phase.at === 'ending under way' ? { name: phase.name, ending: 'under way' } : undefined
}
