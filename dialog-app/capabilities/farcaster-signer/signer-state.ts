/**
 * How far the approval of a signer is, as a machine: the wallet makes a key, its user approves it on their phone, and
 * what failed is tried again.
 */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { rowFor } from '../../contract/error-table.ts'
import { done, type Ending, failed } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { SignerAccounts } from './accounts.ts'
import { failures } from './failures.ts'
import type { SignerStep } from './signer-screen.tsx'

export type ApprovedSigner = { publicKey: string; fid: number }

/** The key of the wallet, and what Farcaster says of it. */
export type MadeSigner = {
  publicKey: string
  status: 'pending_approval' | 'approved' | 'revoked'
  signerApprovalUrl?: string | undefined
}

export type SignerPhase =
  | { at: 'finding accounts' }
  | {
      at: 'opening'
      accounts: SignerAccounts
      /** The key before was taken back since it was approved, and the next one is another. */
      isAnother: boolean
    }
  | { at: 'waiting'; accounts: SignerAccounts; approvalUrl: string }
  /** The account has the key by now, and the user is read anew. */
  | { at: 'approved'; signer: ApprovedSigner }
  | { at: 'success' }
  | {
      at: 'failed'
      accounts: SignerAccounts
      /** The caller gets this where the user leaves it at that. */
      error: LatchkeyError
    }
export type SignerState = { phase: SignerPhase }

export type SignerEvent =
  | { type: 'begin' }
  | {
      type: 'found'
      accounts: SignerAccounts
      /** Farcaster says that this one was approved before. */
      approved: ApprovedSigner | undefined
    }
  | { type: 'made'; signer: MadeSigner }
  | { type: 'approved'; signer: ApprovedSigner }
  | { type: 'user read' }
  | { type: 'failed'; cause: unknown }
  | { type: 'retry' }

export type SignerEffect =
  | { type: 'find accounts' }
  | { type: 'make'; accounts: SignerAccounts }
  | { type: 'poll'; signer: ApprovedSigner }
  | { type: 'read user' }
  | { type: 'settle'; ending: Ending<ApprovedSigner> }
  | { type: 'hold' }
  | { type: 'end'; ending: Ending<ApprovedSigner> }

type Step = Next<SignerState, SignerEffect>
type WithAccounts = { accounts: SignerAccounts }

export const unapproved: SignerState = { phase: { at: 'finding accounts' } }

const make = (accounts: SignerAccounts, isAnother = false): Step => [
  { phase: { at: 'opening', accounts, isAnother } },
  { type: 'make', accounts },
]

const approve = (_: SignerState, { signer }: { signer: ApprovedSigner }): Step => [
  { phase: { at: 'approved', signer } },
  { type: 'read user' },
]

function fail(_: SignerState, { cause }: { cause: unknown }, { accounts }: WithAccounts): Step {
  const problem = toLatchkeyError(cause, 'unknown_auth_error', 'Something went wrong')
  return [{ phase: { at: 'failed', accounts, error: errorOf(problem) } }]
}

const table: Table<SignerState, SignerEvent, SignerEffect> = {
  'finding accounts': {
    begin: (state) => [state, { type: 'find accounts' }],
    found: (state, { accounts, approved }) =>
      approved ? [state, { type: 'end', ending: done(approved) }] : make(accounts),
  },
  opening: {
    made(state, { signer: { publicKey, status, signerApprovalUrl } }, { accounts, isAnother }) {
      const signer = { publicKey, fid: accounts.fid }
      if (status === 'approved') return approve(state, { signer })
      if (status === 'revoked' && !isAnother) return make(accounts, true)
      return status === 'revoked' || signerApprovalUrl === undefined
        ? fail(state, { cause: revoked() }, { accounts })
        : [{ phase: { at: 'waiting', accounts, approvalUrl: signerApprovalUrl } }, { type: 'poll', signer }]
    },
    failed: fail,
  },
  waiting: { approved: approve, failed: fail },
  approved: {
    'user read': (_state, _event, { signer }) => [
      { phase: { at: 'success' } },
      { type: 'settle', ending: done(signer) },
      { type: 'hold' },
    ],
  },
  success: {},
  failed: { retry: (_state, _event, { accounts }) => make(accounts) },
}

export const signerStep = stepBy(table)

/** What is seen of a phase. Nothing new is seen of one that ends by itself. */
export function shownSigner(phase: SignerPhase, isPhone: boolean): SignerStep | undefined {
  switch (phase.at) {
    case 'finding accounts':
    case 'approved':
      return undefined
    case 'opening':
    case 'success':
      return { status: phase.at }
    case 'waiting':
      return { status: phase.at, approvalUrl: phase.approvalUrl, isPhone }
    case 'failed':
      return { status: phase.at, ...rowFor(failures, phase.error.code) }
    default:
      return phase satisfies never
  }
}

/** What the caller gets where the user closes the card now. */
export const endingOfClose = ({ phase }: SignerState): Ending<ApprovedSigner> =>
  failed(phase.at === 'failed' ? phase.error : rejectedError())

export const revoked = () => new LatchkeyError('user_rejected_request', 'The Farcaster signer was rejected')

const told: readonly ErrorCode[] = [
  'client_request_timeout',
  'linked_account_not_found',
  'not_supported',
  'too_many_requests',
  'user_rejected_request',
]

/** A verification that came to nothing is told as it is. */
const errorOf = (error: LatchkeyError): LatchkeyError =>
  told.includes(error.code) || verificationProblem(error)
    ? error
    : new LatchkeyError('unknown_auth_error', 'The Farcaster signer could not be connected', {
        cause: error,
        details: { cause: error.code },
      })
