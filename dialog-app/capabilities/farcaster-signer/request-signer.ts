/** Has the user approve, on their phone, that this app posts for their Farcaster account. */
import { dialogLimits, type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { farcasterSignerRoutes, signerLimits, userRoutes } from '@latchkey/protocol/api'
import { type CallScreens, createCall } from '../../app/screen-stack.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { toAbortError } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName } from '../../host/settings.ts'
import { pollPhone } from '../../phone-app/phone-poll.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { requireAccounts, type SignerAccounts } from './accounts.ts'
import { failures } from './failures.ts'
import { connectedScreen, failedScreen, openingScreen, signerScreen } from './screens.ts'
import { initSigner } from './wallet-calls.ts'

export type ApprovedSigner = { publicKey: string; fid: number }

export function createSignerCall(
  ports: CapabilityPorts,
  { isPhone }: { isPhone: boolean },
): Flow<ApprovedSigner> {
  const { api, clock, session, settings, wallet } = ports
  /** The error of a close now, if it is not a rejection. */
  let problem: LatchkeyError | undefined

  const onClose = () => failed(problem ?? rejectedError())
  return createCall<ApprovedSigner>(ports, { kind: 'approval', onClose }, async (card) => {
    const accounts = requireAccounts(await requireUser(ports, card))
    const { publicKey, fid } = accounts
    if (publicKey !== undefined && (await isApproved(publicKey, card))) return { publicKey, fid }
    for (;;) {
      problem = undefined
      const signer = await askForApproval(accounts, card).catch((cause: unknown) => offerRetry(card, cause))
      if (!signer) continue
      // The account has the key now, even if the user is not reloaded.
      await api.call(userRoutes.me, undefined, card).then(session.replaceUser, () => {})
      void card.open(connectedScreen, { appName: appName(settings()) })
      card.settle(done(signer))
      await card.hold(dialogLimits.successCloseMs)
      return signer
    }
  })

  async function askForApproval(accounts: SignerAccounts, card: CallScreens): Promise<ApprovedSigner> {
    const { fid } = accounts
    void card.open(openingScreen, {})
    const first = await createKey(accounts, card)
    // A key that the account revoked is replaced once.
    const key = first.status === 'revoked' ? await createKey(accounts, card) : first
    const { publicKey, status, signerApprovalUrl: approvalUrl } = key
    if (status === 'approved') return { publicKey, fid }
    if (status === 'revoked' || approvalUrl === undefined) throw revokedError()
    void card.open(signerScreen, { appName: appName(settings()), approvalUrl, isPhone })
    await pollApproval(publicKey, card)
    return { publicKey, fid }
  }

  function createKey({ wallet: account }: SignerAccounts, card: CallScreens) {
    return createWalletCalls(ports.remedies)({
      event: 'farcaster:init-signer',
      account,
      card,
      call: (verification) => initSigner(wallet, account.address, { signal: card.signal, verification }),
    })
  }

  async function pollApproval(publicKey: string, { signal }: CallScreens): Promise<void> {
    const isPresent = () => !signal.aborted
    async function ask() {
      const status = await getStatus(publicKey, signal)
      if (status === 'revoked') throw revokedError()
      return status === 'approved' ? status : undefined
    }
    const approved = await pollPhone({ clock, ...signerLimits, signal, isPresent, ask })
    if (!approved) throw toAbortError(signal)
  }

  async function getStatus(ed25519PublicKey: string, signal: AbortSignal) {
    return (await api.call(farcasterSignerRoutes.signerStatus, { ed25519PublicKey }, { signal })).status
  }

  /** Ignores other statuses and errors here, because the request encounters them again. */
  async function isApproved(publicKey: string, { signal }: CallScreens): Promise<boolean> {
    return (await getStatus(publicKey, signal).catch(() => undefined)) === 'approved'
  }

  async function offerRetry(card: CallScreens, cause: unknown): Promise<undefined> {
    if (card.signal.aborted) throw cause
    problem = toSignerError(cause)
    await card.open(failedScreen, { failure: rowFor(failures, problem.code) })
  }
}

const revokedError = () => new LatchkeyError('user_rejected_request', 'The Farcaster signer was rejected')

/** Errors that the caller gets unchanged, besides those of the verification. */
const unchangedCodes: readonly ErrorCode[] = [
  'client_request_timeout',
  'linked_account_not_found',
  'not_supported',
  'too_many_requests',
  'user_rejected_request',
]

function toSignerError(cause: unknown): LatchkeyError {
  const error = toLatchkeyError(cause, 'unknown_auth_error', 'Something went wrong')
  if (unchangedCodes.includes(error.code) || verificationProblem(error)) return error
  return new LatchkeyError('unknown_auth_error', 'The Farcaster signer could not be connected', {
    cause: error,
    details: { cause: error.code },
  })
}
