/**
 * How far an import is, as a machine: a page of the wallet's origin takes the key, its user says yes to the address
 * there, and the wallet frame has it kept. What failed is tried again with another page.
 */
import { LatchkeyError, toLatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { rejectedError } from '../../approval/rejection.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import type { ImportState as Shown } from './import-screen.tsx'
import { english } from './texts.arb'

/** The page that takes the key, and the frame that it talks to. */
export type OpenPage = { channel: WalletChannel; pageUrl: string }

export type ImportPhase =
  | { at: 'finding user' }
  | { at: 'opening' }
  | { at: 'page'; page: OpenPage }
  | { at: 'importing'; page: OpenPage }
  | {
      at: 'failed'
      /** The caller gets this where the user leaves it at that. */
      error: LatchkeyError
      /** Another user has the wallet, so that another key is what helps. */
      isTaken: boolean
    }
  | { at: 'done'; account: WalletAccount }

export type ImportState = {
  phase: ImportPhase
  /** What keeps the wallet is good for another try. */
  canBeGivenAgain: boolean
}

export type ImportEvent =
  | { type: 'begin' }
  | { type: 'found' }
  | { type: 'opened'; page: OpenPage }
  /** The user said yes to this address on the page. */
  | { type: 'chosen'; address: string }
  | { type: 'imported'; account: WalletAccount }
  | { type: 'failed'; cause: unknown }
  | { type: 'retry' }

export type ImportEffect =
  | { type: 'find user' }
  | { type: 'open page' }
  | { type: 'ask for key'; channel: WalletChannel }
  | { type: 'import'; channel: WalletChannel; address: string }
  /** Who began the import learns of the wallet before the card closes. */
  | { type: 'tell'; account: WalletAccount }
  /** The flow ends once its last screen could be read. */
  | { type: 'end when read'; ending: Ending<WalletAccount> }
  | { type: 'end'; ending: Ending<WalletAccount> }

type Step = Next<ImportState, ImportEffect>

export const unimported = (canBeGivenAgain: boolean): ImportState => ({
  phase: { at: 'finding user' },
  canBeGivenAgain,
})

const open = (state: ImportState): Step => [{ ...state, phase: { at: 'opening' } }, { type: 'open page' }]

function fail(state: ImportState, { cause }: { cause: unknown }): Step {
  const problem = toLatchkeyError(cause, 'unknown_embedded_wallet_error', english.failed.detail)
  if (toldAsIs.has(problem.code)) return [state, { type: 'end', ending: failed(problem) }]
  const isTaken = problem.code === 'linked_to_another_user'
  const error = isTaken ? problem : errorOf(problem)
  // Who asked for what is used up asks for it again.
  return isTaken || state.canBeGivenAgain
    ? [{ ...state, phase: { at: 'failed', error, isTaken } }]
    : [state, { type: 'end', ending: failed(error) }]
}

const table: Table<ImportState, ImportEvent, ImportEffect> = {
  'finding user': {
    begin: (state) => [state, { type: 'find user' }],
    found: open,
  },
  opening: {
    opened: (state, { page }) => [
      { ...state, phase: { at: 'page', page } },
      { type: 'ask for key', channel: page.channel },
    ],
    failed: fail,
  },
  page: {
    chosen: (state, { address }, { page }) => [
      { ...state, phase: { at: 'importing', page } },
      { type: 'import', channel: page.channel, address },
    ],
    failed: fail,
  },
  importing: {
    imported: (state, { account }) => [
      { ...state, phase: { at: 'done', account } },
      { type: 'tell', account },
      { type: 'end when read', ending: done(account) },
    ],
    failed: fail,
  },
  failed: { retry: open },
  done: {},
}

export const importStep = stepBy(table)

/** Nothing is shown before it is known who imports. */
export function shownImport(phase: ImportPhase): Shown | undefined {
  switch (phase.at) {
    case 'finding user':
      return undefined
    case 'opening':
      return { status: phase.at }
    case 'page':
    case 'importing':
      return { status: phase.at, pageUrl: phase.page.pageUrl }
    case 'failed':
      return { status: phase.isTaken ? 'taken' : 'failed' }
    case 'done':
      return { status: phase.at, address: phase.account.address }
    default:
      return phase satisfies never
  }
}

/** What the caller gets where the user closes the card now. */
export function endingOfClose({ phase }: ImportState): Ending<WalletAccount> {
  if (phase.at === 'done') return done(phase.account)
  return failed(phase.at === 'failed' ? phase.error : rejectedError())
}

/** What the user has, what the app does not have, and what a host brought that is no key. */
const toldAsIs: ReadonlySet<string> = new Set([
  'embedded_wallet_already_exists',
  'embedded_wallet_recovery_already_exists',
  'disallowed_recovery_method',
  'invalid_data',
])

const errorOf = (cause: LatchkeyError) =>
  new LatchkeyError('unknown_embedded_wallet_error', english.failed.detail, {
    cause,
    details: { cause: cause.code },
  })
