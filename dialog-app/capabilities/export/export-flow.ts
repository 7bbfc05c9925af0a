/**
 * The user takes their key: the wallet connects, they approve and verify themselves, and a page of the wallet's origin
 * shows the key. What the server releases goes from the wallet frame to that page; nothing of it comes through here.
 */
import {
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import type { AccountAction } from '@latchkey/protocol/wallet'
import type { CapabilityPorts } from '../../core/capability.ts'
import { type Confirming, confirmingHandlers } from '../../core/confirmed.ts'
import { type ActionPorts, requestAction } from '../../core/confirmed-action.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { isRefusal, rejectedError } from '../../core/rejection.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import { verificationProblem } from '../../core/verification-problem.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
import type { Confirmed } from '../../wallet/confirmed.ts'
import type { Operation } from '../../wallet/operations.ts'
import type { ExportStep } from './export-screen.tsx'
import { exportScreen } from './screens.ts'
import { english } from './texts.en.ts'

/** The page learns that it is over. */
type Exported = Readonly<Record<never, never>>
export type ExportPorts = ActionPorts &
  Pick<CapabilityPorts, 'session' | 'settings' | 'remedies' | 'analytics'>

/** `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'busy' }
  | { readonly at: 'review'; readonly confirming: Confirming }
  | { readonly at: 'open' }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

/** What its steps are about. */
type Opening = {
  readonly operation: Operation
  readonly account: WalletAccount
  readonly confirmation: Confirmed
}

export function createExportFlow(ports: ExportPorts, handle: FlowHandle<Exported>): RunningFlow<Exported> {
  const { wallet, analytics } = ports
  const { signal } = handle
  const callWallet = createWalletCalls(ports.remedies)
  let phase: Phase = { at: 'busy' }
  /** It was shown once: whatever fails then takes nothing of that back. */
  let wasOpen = false

  async function run() {
    const account = embeddedWallet(await requireUser(ports, handle))
    if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
    await attempt(account)
  }

  async function attempt(account: WalletAccount) {
    const { address } = account
    const show = (step: ExportStep) => {
      const retry = () => phase.at === 'failed' && void attempt(account)
      const view = screen(
        exportScreen,
        { address, ...step },
        { ...approving, retry, leave: () => handle.end() },
      )
      if (handle.isAt(exportScreen)) handle.update(view)
      else handle.replace(view)
    }
    phase = { at: 'busy' }
    try {
      show({ status: 'connecting' })
      await Promise.all([connect(account), atLeast(walletLimits.beforeExportMs)])
      const confirmed = await review(account, show)
      phase = { at: 'busy' }
      show({ status: 'approved' })
      await open(account, confirmed, show)
      phase = { at: 'open' }
      if (!wasOpen) analytics('embedded_wallet_key_export_completed')
      wasOpen = true
    } catch (error) {
      if (signal.aborted) return
      if (isRefusal(error)) return handle.end(failed(error))
      const problem = toLatchkeyError(error, 'unknown_embedded_wallet_error', english.problems.failed)
      phase = { at: 'failed', error: errorOf(problem) }
      show({ status: 'failed', problem: verificationProblem(problem) ?? 'failed' })
    }
  }

  const approving = confirmingHandlers(() => (phase.at === 'review' ? phase.confirming : undefined))

  const atLeast = (ms: number) => new Promise<void>((resolve) => handle.after(ms, resolve))

  /** A device without its share is given one; what is asked again then has it. */
  function connect(account: WalletAccount): Promise<void> {
    let isTried = false
    return callWallet({
      event: 'wallet:connect',
      account,
      card: handle,
      async call() {
        if (isTried) return
        isTried = true
        await wallet.connect(account.address, { signal })
      },
    })
  }

  function review({ address }: WalletAccount, show: (step: ExportStep) => void): Promise<Confirmed> {
    const action: AccountAction = { method: 'export', params: [address] }
    const confirming = requestAction(ports, { card: handle, address, action }, (approval) => {
      if (phase.at === 'review' && phase.confirming === confirming) show({ status: 'review', approval })
    })
    phase = { at: 'review', confirming }
    show({ status: 'review', approval: confirming.shown() })
    return confirming.outcome
  }

  /** In an operation of the frame, which keeps the verification; the release is sealed to the key of the page. */
  async function open(
    account: WalletAccount,
    confirmation: Confirmed,
    show: (step: ExportStep) => void,
  ): Promise<void> {
    const pageUrl = await wallet.pageUrl('export')
    const operation = await wallet.begin({ signal })
    try {
      await verify({ operation, account, confirmation }, 'known')
      show({ status: 'page', pageUrl })
      try {
        await release({ operation, account, confirmation })
      } catch (error) {
        if (!isUnverified(error)) throw error
        // A method that was added elsewhere since. The page would not outlive the question.
        show({ status: 'approved' })
        await verify({ operation, account, confirmation }, 'told')
        show({ status: 'page', pageUrl })
        await release({ operation, account, confirmation })
      }
    } finally {
      wallet.end(operation)
    }
  }

  const verify = ({ operation, account, confirmation }: Opening, due: 'known' | 'told'): Promise<void> =>
    callWallet({
      event: 'mfa:verify',
      account,
      card: handle,
      async call(verification) {
        if (verification === undefined) {
          if (due === 'known') return
          throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
        }
        const asker = { signal, confirmation }
        const { data } = await wallet.tokenFor(operation, 'export', account.address, asker)
        await operation.channel.call('mfa:verify', { ...data, ...verification }, { signal })
      },
    })

  async function release({ operation, account: { address }, confirmation }: Opening): Promise<void> {
    const { channel } = operation
    const { publicKey } = await channel.call('page:begin', { page: 'export' }, { signal })
    const sealedTo = { ...operation, publicKey, by: 'page' } as const
    const { data } = await wallet.tokenFor(sealedTo, 'export', address, { signal, confirmation })
    await channel.call('wallet:export', { ...data, address }, { signal })
  }

  return {
    kind: 'export',
    run,
    onClose() {
      if (wasOpen) return done({})
      return failed(phase.at === 'failed' ? phase.error : rejectedError())
    },
  }
}

const isUnverified = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'missing_or_invalid_mfa'

/** A verification that came to nothing is told as it is. */
function errorOf(error: LatchkeyError): LatchkeyError {
  if (verificationProblem(error)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', english.problems.failed, {
    cause: error,
    details: { cause: error.code },
  })
}
