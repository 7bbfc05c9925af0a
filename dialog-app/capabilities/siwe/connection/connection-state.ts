/**
 * How far the connection to a wallet is, as a machine: from its choice to the use that is made of it, and tried again
 * where that failed. What an earlier attempt says comes too late.
 */
import { type LatchkeyError, siweLimits } from '@latchkey/protocol'
import { rowFor } from '../../../contract/error-table.ts'
import { type Next, stepBy, type Table } from '../../../flow/machine.ts'
import { problems, type WalletProblem } from '../problem.ts'
import type { Step as Shown } from '../screens/awaiting-screen.tsx'
import type { ConnectedWallet, Connector } from '../sources/connector.ts'
import type { NamedWallet } from '../sources/named-wallets.ts'
import type { OfferedWallet } from '../sources/offered-wallets.ts'
import type { Meeting } from '../sources/sources.ts'

/** Each is one question to the wallet, which is taken back where it aborts. */
export type Attempt = AbortController

/** The chain that the wallet is asked to go to. One that has to be there, and does not get there, fails. */
export type Move = { chainId: number; isRequired: boolean }

type Chosen = {
  wallet: OfferedWallet
  attempt: Attempt
  /** Opened once for a choice, and kept for its other attempts. */
  connector: Connector | undefined
  failures: number
  appLink: string | undefined
}
type OpenConnection = Chosen & { connector: Connector }

export type ConnectionPhase =
  /** No wallet is asked: what was chosen last has to be installed or opened first. */
  | { at: 'unchosen' }
  | ({ at: 'connecting'; meeting: Meeting | undefined } & Chosen)
  /** The page wants another account than the one that the wallet brought. */
  | ({ at: 'other account'; address: string; wanted: string } & Chosen)
  | ({ at: 'switching'; account: ConnectedWallet; move: Move } & OpenConnection)
  /** Who uses the connection says what is seen of it, and until then what was seen stays. */
  | ({ at: 'using'; step: Shown } & OpenConnection)
  | ({ at: 'failed'; problem: WalletProblem; isRepeated: boolean } & Chosen)
  /** It failed too often. */
  | ({ at: 'given up' } & Chosen)
export type ConnectionState = { phase: ConnectionPhase }

export type ConnectionEvent =
  | { type: 'choose'; wallet: OfferedWallet; attempt: Attempt }
  | { type: 'retry'; attempt: Attempt }
  | { type: 'install' }
  | { type: 'opened'; attempt: Attempt; connector: Connector }
  | { type: 'meeting'; attempt: Attempt; meeting: Meeting }
  | {
      type: 'other account'
      attempt: Attempt
      address: string
      wanted: string
      appLink: string | undefined
    }
  | {
      type: 'connected'
      attempt: Attempt
      account: ConnectedWallet
      move: Move | undefined
      appLink: string | undefined
    }
  | { type: 'switched'; attempt: Attempt }
  | { type: 'not switched'; attempt: Attempt }
  | { type: 'shown'; attempt: Attempt; step: Shown }
  | { type: 'failed'; attempt: Attempt; error: LatchkeyError }

export type ConnectionEffect =
  | { type: 'abandon'; attempt: Attempt; connector: Connector | undefined }
  | { type: 'tell choice' }
  | { type: 'show' }
  | { type: 'show guide'; wallet: NamedWallet }
  | { type: 'show phone'; wallet: OfferedWallet; named: NamedWallet }
  | { type: 'show end' }
  | { type: 'open'; attempt: Attempt; wallet: OfferedWallet }
  | {
      type: 'connect'
      attempt: Attempt
      wallet: OfferedWallet
      connector: Connector
    }
  | { type: 'refuse'; connector: Connector | undefined }
  | {
      type: 'switch'
      attempt: Attempt
      connector: Connector
      move: Move
    }
  | {
      type: 'use'
      attempt: Attempt
      wallet: OfferedWallet
      connector: Connector
      account: ConnectedWallet
      isRetry: boolean
    }
  | { type: 'tell failure'; error: LatchkeyError }

type Step = Next<ConnectionState, ConnectionEffect>
type Event<Type extends ConnectionEvent['type']> = Extract<ConnectionEvent, { type: Type }>
type Phase<At extends ConnectionPhase['at']> = Extract<ConnectionPhase, { at: At }>

export const unconnected: ConnectionState = { phase: { at: 'unchosen' } }

function choose({ phase }: ConnectionState, { wallet, attempt }: Event<'choose'>): Step {
  const abandoned: readonly ConnectionEffect[] =
    phase.at === 'unchosen' ? [] : [{ type: 'abandon', attempt: phase.attempt, connector: phase.connector }]
  const unchosen: ConnectionState = { phase: { at: 'unchosen' } }
  switch (wallet.way.type) {
    case 'install':
      return [unchosen, ...abandoned, { type: 'show guide', wallet: wallet.way.wallet }]
    case 'phone':
      return [unchosen, ...abandoned, { type: 'show phone', wallet, named: wallet.way.wallet }]
    default: {
      const chosen = { wallet, attempt, connector: undefined, failures: 0, appLink: undefined }
      return [
        { phase: { at: 'connecting', meeting: undefined, ...chosen } },
        ...abandoned,
        { type: 'tell choice' },
        { type: 'show' },
        { type: 'open', attempt, wallet },
      ]
    }
  }
}

function retry(
  _: ConnectionState,
  { attempt }: Event<'retry'>,
  { wallet, connector, failures, appLink }: Chosen,
): Step {
  return [
    { phase: { at: 'connecting', meeting: undefined, wallet, attempt, connector, failures, appLink } },
    connector ? { type: 'connect', attempt, wallet, connector } : { type: 'open', attempt, wallet },
  ]
}

function use(phase: OpenConnection, account: ConnectedWallet, step: Shown): Step {
  const { wallet, attempt, connector, failures, appLink } = phase
  return [
    { phase: { at: 'using', step, wallet, attempt, connector, failures, appLink } },
    { type: 'use', attempt, wallet, connector, account, isRetry: failures > 0 },
  ]
}

function fail(state: ConnectionState, { attempt, error }: Event<'failed'>, phase: Chosen): Step {
  if (phase.attempt !== attempt) return [state]
  const { wallet, connector, appLink } = phase
  const failures = phase.failures + 1
  const chosen = { wallet, attempt, connector, failures, appLink }
  const problem = rowFor(problems, error.code)
  return failures <= siweLimits.connectRetries || problem === 'userExists'
    ? [
        { phase: { at: 'failed', problem, isRepeated: failures > 1, ...chosen } },
        { type: 'tell failure', error },
      ]
    : [{ phase: { at: 'given up', ...chosen } }, { type: 'tell failure', error }, { type: 'show end' }]
}

function connected(state: ConnectionState, event: Event<'connected'>, phase: Phase<'connecting'>): Step {
  const { connector, meeting, wallet, attempt, failures } = phase
  if (attempt !== event.attempt || !connector) return [state]
  const { account, move, appLink } = event
  const opened = { wallet, attempt, connector, failures, appLink }
  return move
    ? [{ phase: { at: 'switching', account, move, ...opened } }, { type: 'switch', attempt, connector, move }]
    : use(opened, account, connecting(meeting))
}

/** Its user may bring another account at once, as often as they like. */
function refuse(state: ConnectionState, event: Event<'other account'>, phase: Phase<'connecting'>): Step {
  const { wallet, attempt, connector, failures } = phase
  if (attempt !== event.attempt) return [state]
  const { address, wanted, appLink } = event
  return [
    { phase: { at: 'other account', address, wanted, wallet, attempt, connector, failures, appLink } },
    { type: 'refuse', connector },
  ]
}

const table: Table<ConnectionState, ConnectionEvent, ConnectionEffect> = {
  unchosen: { choose },
  connecting: {
    choose,
    install: (state, _, { wallet: { way } }) =>
      way.type === 'relay' && way.wallet ? [state, { type: 'show guide', wallet: way.wallet }] : [state],
    opened: (state, { attempt, connector }, phase) =>
      phase.attempt === attempt
        ? [{ phase: { ...phase, connector } }, { type: 'connect', attempt, wallet: phase.wallet, connector }]
        : [state],
    meeting: (state, { attempt, meeting }, phase) => [
      phase.attempt === attempt ? { phase: { ...phase, meeting } } : state,
    ],
    connected,
    'other account': refuse,
    failed: fail,
  },
  'other account': { choose, retry },
  switching: {
    choose,
    switched: (state, { attempt }, phase) =>
      phase.attempt === attempt
        ? use(phase, { ...phase.account, chainId: phase.move.chainId }, { status: 'switching' })
        : [state],
    'not switched': (state, { attempt }, phase) =>
      phase.attempt === attempt ? use(phase, phase.account, { status: 'switching' }) : [state],
    failed: fail,
  },
  using: {
    choose,
    shown: (state, { attempt, step }, phase) => [
      phase.attempt === attempt ? { phase: { ...phase, step } } : state,
    ],
    failed: fail,
  },
  failed: { choose, retry },
  'given up': { choose },
}

export const connectionStep = stepBy(table)

const connecting = (meeting: Meeting | undefined): Shown => ({
  status: 'connecting',
  ...(meeting && { meeting }),
})

/** Nothing is seen of a wallet that is not asked, nor of one that failed too often. */
export function shownStep(phase: ConnectionPhase): Shown | undefined {
  switch (phase.at) {
    case 'unchosen':
    case 'given up':
      return undefined
    case 'connecting':
      return connecting(phase.meeting)
    case 'other account':
      return { status: phase.at, address: phase.address, wanted: phase.wanted }
    case 'switching':
      return { status: phase.at }
    case 'using':
      return phase.step
    case 'failed':
      return { status: phase.at, problem: phase.problem, isRepeated: phase.isRepeated }
    default:
      return phase satisfies never
  }
}
