/** Has the user approve, on their phone, that this app writes for their Farcaster account. */
import { dialogLimits, type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { farcasterSignerRoutes, type RouteOutput, signerLimits, userRoutes } from '@latchkey/protocol/api'
import { rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName } from '../../host/settings.ts'
import { pollPhone } from '../../phone-app/phone-poll.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { requireAccounts, type SignerAccounts } from './accounts.ts'
import { failures } from './failures.ts'
import { signerScreen } from './screens.ts'
import type { SignerStep } from './signer-screen.tsx'
import { initSigner } from './wallet-calls.ts'

export type ApprovedSigner = { readonly publicKey: string; readonly fid: number }
type Status = RouteOutput<typeof farcasterSignerRoutes.signerStatus>
type Ports = Pick<CapabilityPorts, 'api' | 'clock' | 'remedies' | 'session' | 'settings' | 'wallet'>

export function createSignerFlow(
  ports: Ports,
  { isPhone }: { readonly isPhone: boolean },
  handle: FlowHandle<ApprovedSigner>,
): RunningFlow<ApprovedSigner> {
  const { api, clock, session, settings, wallet } = ports
  const { signal } = handle
  const callWallet = createWalletCalls(ports.remedies)
  /** What the caller gets of a failure that the user leaves at that. */
  let failure: LatchkeyError | undefined
  /** One try at a time: what belongs to an earlier one comes too late. */
  let tries = 0

  async function run() {
    const accounts = requireAccounts(await requireUser(ports, handle))
    const approved = await approvedBefore(accounts)
    if (approved) return handle.end(done(approved))
    await attempt(accounts)
  }

  /** Whatever else comes of it is found again, and said, where the user is asked. */
  async function approvedBefore({ publicKey, fid }: SignerAccounts): Promise<ApprovedSigner | undefined> {
    if (publicKey === undefined) return undefined
    const said = await statusOf(publicKey).catch(() => undefined)
    return said?.status === 'approved' ? { publicKey, fid } : undefined
  }

  const statusOf = (ed25519PublicKey: string): Promise<Status> =>
    api.call(farcasterSignerRoutes.signerStatus, { ed25519PublicKey }, { signal })

  async function attempt(accounts: SignerAccounts) {
    tries += 1
    const own = tries
    const isPresent = () => own === tries && !signal.aborted
    const show = (step: SignerStep) => {
      const retry = () => failure && void attempt(accounts)
      const state = { appName: appName(settings()), ...step }
      const view = screen(signerScreen, state, { retry, leave: () => handle.end() })
      if (handle.isAt(signerScreen)) handle.update(view)
      else handle.replace(view)
    }
    failure = undefined
    try {
      show({ status: 'opening' })
      const signer = await approval(accounts, show, isPresent)
      if (!signer || !isPresent()) return
      await succeed(signer, show)
    } catch (error) {
      if (!isPresent()) return
      const problem = toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong')
      failure = errorOf(problem)
      show({ status: 'failed', ...rowFor(failures, failure.code) })
    }
  }

  /** Undefined for whoever is no longer waited for. */
  async function approval(
    accounts: SignerAccounts,
    show: (step: SignerStep) => void,
    isPresent: () => boolean,
  ): Promise<ApprovedSigner | undefined> {
    let said = await init(accounts)
    // Taken back since it was approved. The next key is another one.
    if (said.status === 'revoked') said = await init(accounts)
    const { publicKey, status, signerApprovalUrl } = said
    const approved = { publicKey, fid: accounts.fid }
    if (status === 'approved') return approved
    if (status === 'revoked' || signerApprovalUrl === undefined) throw revoked()
    show({ status: 'waiting', approvalUrl: signerApprovalUrl, isPhone })
    return pollPhone({
      clock,
      ...signerLimits,
      signal,
      isPresent,
      async ask() {
        const now = await statusOf(publicKey)
        if (now.status === 'revoked') throw revoked()
        return now.status === 'approved' ? approved : undefined
      },
    })
  }

  const init = (accounts: SignerAccounts) =>
    callWallet({
      event: 'farcaster:init-signer',
      account: accounts.wallet,
      card: handle,
      call: (verification) => initSigner(wallet, accounts.wallet.address, { signal, verification }),
    })

  async function succeed(signer: ApprovedSigner, show: (step: SignerStep) => void) {
    // The account has the key now. A page that hears of it later has lost nothing.
    await api.call(userRoutes.me, undefined, { signal }).then(session.replaceUser, () => {})
    handle.settle(done(signer))
    show({ status: 'success' })
    await handle.hold(dialogLimits.successCloseMs)
    handle.end()
  }

  return { kind: 'approval', run, onClose: () => failed(failure ?? rejectedError()) }
}

const revoked = () => new LatchkeyError('user_rejected_request', 'The Farcaster signer was rejected')

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
