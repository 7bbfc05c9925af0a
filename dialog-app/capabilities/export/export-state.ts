/**
 * How far an export is, as a machine: the wallet connects, a window is asked for, its user confirms there and sees the
 * key. What was shown once is not taken back by what fails later.
 */
import { LatchkeyError, toLatchkeyError, type WalletAccount } from '@latchkey/protocol'
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { isRefusal, rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { NoWindow, WalletWindow, WindowStep } from '../../contract/wallet-window.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import type { ExportStep } from './export-screen.tsx'
import { english } from './texts.arb'

/** The page learns that it is over. */
export type Exported = Readonly<Record<never, never>>
export type ExportWindow = WalletWindow<NoWindow>

type Led = { account: WalletAccount; window: ExportWindow }
export type ExportPhase =
  | { at: 'finding wallet' }
  | { at: 'connecting'; account: WalletAccount }
  /** A window can be opened, unless an obstacle is shown. */
  | ({
      at: 'asking'
      step: WindowStep<NoWindow> | undefined
      /** What the caller gets where no window can be opened. */
      error: LatchkeyError | undefined
    } & Led)
  /** It was confirmed in the window: another one could not take this over any more. */
  | ({ at: 'releasing'; step: WindowStep<NoWindow> | undefined } & Led)
  | ({ at: 'open' } & Led)
  | {
      at: 'failed'
      account: WalletAccount
      error: LatchkeyError
      problem: Extract<ExportStep, { status: 'failed' }>['problem']
    }

export type ExportState = {
  phase: ExportPhase
  wasOpen: boolean
}

export type ExportEvent =
  | { type: 'begin' }
  | { type: 'found'; account: WalletAccount }
  | { type: 'connected'; windows: ExportWindows }
  | { type: 'not connected'; cause: unknown }
  | { type: 'led'; window: ExportWindow; obstacle: NoWindow | undefined }
  | { type: 'window shown'; window: ExportWindow; step: WindowStep<NoWindow> }
  /** The wallet's button has opened a window. */
  | { type: 'pressed'; state: OpenedWindowState }
  | { type: 'confirmed'; window: ExportWindow }
  | { type: 'opened'; window: ExportWindow }
  | { type: 'closed'; window: ExportWindow }
  | { type: 'window failed'; window: ExportWindow; cause: unknown }
  | { type: 'retry' }

export type ExportEffect =
  | { type: 'find wallet' }
  | { type: 'connect'; account: WalletAccount }
  | { type: 'lead'; account: WalletAccount; windows: ExportWindows }
  | { type: 'hear'; window: ExportWindow; state: OpenedWindowState }
  | { type: 'abandon'; window: ExportWindow }
  /** The key was shown for the first time. */
  | { type: 'track' }
  | { type: 'end'; ending: Ending<Exported> }

type Step = Next<ExportState, ExportEffect>

export const unexported: ExportState = { phase: { at: 'finding wallet' }, wasOpen: false }

const connect = (state: ExportState, { account }: { account: WalletAccount }): Step => [
  { ...state, phase: { at: 'connecting', account } },
  { type: 'connect', account },
]

type OwnProblem = keyof Pick<typeof english.problems, 'failed' | 'unable'>

function fail(
  state: ExportState,
  account: WalletAccount,
  cause: unknown,
  problemOfCause: OwnProblem = 'failed',
): Step {
  if (isRefusal(cause)) return [state, { type: 'end', ending: failed(cause) }]
  const error = toLatchkeyError(cause, 'unknown_embedded_wallet_error', english.problems.failed)
  const problem = verificationProblem(error) ?? problemOfCause
  return [{ ...state, phase: { at: 'failed', account, error: errorOf(error, problemOfCause), problem } }]
}

type FailedWindow = Extract<ExportEvent, { type: 'window failed' }>
/** What belongs to a window that was given up comes too late. */
const failWindow = (state: ExportState, { window, cause }: FailedWindow, phase: Led): Step => {
  if (phase.window !== window) return [state]
  const [next, ...effects] = fail(state, phase.account, cause)
  return [next, { type: 'abandon', window }, ...effects]
}
const closed = (state: ExportState, { window }: Pick<Led, 'window'>, phase: Led): Step =>
  phase.window === window ? [state, { type: 'end', ending: done({}) }] : [state]

const table: Table<ExportState, ExportEvent, ExportEffect> = {
  'finding wallet': {
    begin: (state) => [state, { type: 'find wallet' }],
    found: connect,
  },
  connecting: {
    connected: (state, { windows }, { account }) => [state, { type: 'lead', account, windows }],
    led: (state, { window, obstacle }, { account }) => {
      const error = obstacle && errorOf(noWindowErrors[obstacle]())
      return [{ ...state, phase: { at: 'asking', account, window, step: undefined, error } }]
    },
    'not connected': (state, { cause }, { account }) => fail(state, account, cause, 'unable'),
  },
  asking: {
    'window shown': (state, { window, step }, phase) => [
      phase.window === window ? { ...state, phase: { ...phase, step } } : state,
    ],
    pressed: (state, { state: opened }, { window }) => [state, { type: 'hear', window, state: opened }],
    confirmed: (state, { window }, { account, step, ...phase }) => [
      phase.window === window ? { ...state, phase: { at: 'releasing', account, window, step } } : state,
    ],
    'window failed': failWindow,
    closed,
  },
  releasing: {
    opened(state, { window }, { account, ...phase }) {
      if (phase.window !== window) return [state]
      const next: ExportState = { phase: { at: 'open', account, window }, wasOpen: true }
      return state.wasOpen ? [next] : [next, { type: 'track' }]
    },
    'window failed': failWindow,
    closed,
  },
  open: { closed, 'window failed': failWindow },
  failed: { retry: (state, _, phase) => connect(state, phase) },
}

export const exportStep = stepBy(table)

/** What the caller gets where the user closes the card now. */
export function endingOfClose({ phase, wasOpen }: ExportState): Ending<Exported> {
  if (wasOpen) return done({})
  return failed(('error' in phase && phase.error) || rejectedError())
}

const noWindowErrors = {
  'in-app': () =>
    new LatchkeyError('approval_required_elsewhere', 'A browser inside of an app opens no windows'),
  'cut-off': () => new LatchkeyError('not_supported', 'The page around keeps its windows apart'),
} as const satisfies Record<NoWindow, () => LatchkeyError>

/** A verification that came to nothing is told as it is. */
function errorOf(error: LatchkeyError, problem: OwnProblem = 'failed'): LatchkeyError {
  if (verificationProblem(error)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', english.problems[problem], {
    cause: error,
    details: { cause: error.code },
  })
}
