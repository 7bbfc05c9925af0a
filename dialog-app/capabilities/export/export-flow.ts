/**
 * The user takes their key: the wallet connects, and this card opens a window of the wallet's origin, in which they say
 * that they want to see the key and then see it. What the server releases goes from the wallet frame to that window;
 * nothing of it comes through here.
 */
import {
  embeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { confirmPageRoutes } from '@latchkey/protocol/api'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { confirmationExpired, isRefusal, rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import {
  createWalletWindow,
  type NoWindow,
  noWindowIn,
  type WalletWindow,
} from '../../contract/wallet-window.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import type { Handle, Operation } from '../../wallet/operations.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { ExportStep } from './export-screen.tsx'
import { exportScreen } from './screens.ts'
import { english } from './texts.arb'

/** The page learns that it is over. */
type Exported = Readonly<Record<never, never>>
export type ExportPorts = Pick<
  CapabilityPorts,
  'session' | 'settings' | 'remedies' | 'analytics' | 'wallet' | 'api'
>

/** `error` is what the caller gets of a failure that the user leaves at that. */
type Phase =
  | { readonly at: 'busy' | 'open' }
  /** A window can be opened. */
  | { readonly at: 'asking'; readonly error?: LatchkeyError }
  | { readonly at: 'failed'; readonly error: LatchkeyError }

/** What its steps are about. */
type Opening = {
  readonly operation: Operation
  readonly account: WalletAccount
  /** Of the window. */
  readonly name: string
  /** Of the vault there. */
  readonly publicKey: string
  readonly confirmation: Handle
}

export function createExportFlow(
  ports: ExportPorts,
  handle: FlowHandle<Exported>,
  { userAgent }: { readonly userAgent: string } = navigator,
): RunningFlow<Exported> {
  const { wallet, analytics, api, settings } = ports
  const callWallet = createWalletCalls(ports.remedies)
  let phase: Phase = { at: 'busy' }
  let opened: WalletWindow<NoWindow>['hear'] = () => {}
  /** It was shown once: whatever fails then takes nothing of that back. */
  let wasOpen = false

  async function run() {
    const account = embeddedWallet(await requireUser(ports, handle))
    if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
    await attempt(account)
  }

  async function attempt(account: WalletAccount) {
    phase = { at: 'busy' }
    show(account, { status: 'connecting' })
    try {
      const [loaded] = await Promise.all([
        wallet.exportWindows(),
        connect(account),
        atLeast(walletLimits.beforeExportMs),
      ])
      leadToWindow(account, loaded)
    } catch (error) {
      fail(account, error)
    }
  }

  function show(account: WalletAccount, step: ExportStep) {
    const view = screen(
      exportScreen,
      { address: account.address, ...step },
      {
        opened: (state) => phase.at === 'asking' && opened(state),
        retry: () => phase.at === 'failed' && void attempt(account),
        leave: () => handle.end(),
      },
    )
    if (handle.isAt(exportScreen)) handle.update(view)
    else handle.replace(view)
  }

  function fail(account: WalletAccount, error: unknown) {
    if (handle.signal.aborted) return
    if (isRefusal(error)) return handle.end(failed(error))
    const problem = toLatchkeyError(error, 'unknown_embedded_wallet_error', english.problems.failed)
    phase = { at: 'failed', error: errorOf(problem) }
    show(account, { status: 'failed', problem: verificationProblem(problem) ?? 'failed' })
  }

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
        await wallet.connect(account.address, { signal: handle.signal })
      },
    })
  }

  /** The window is opened by the wallet's own button; where none can be, the card says so. */
  function leadToWindow(account: WalletAccount, windows: ExportWindows) {
    const obstacle = noWindowIn(settings(), userAgent)
    const window = createWalletWindow<NoWindow>({
      signal: handle.signal,
      obstacle,
      next: windows.next,
      // Once it was said there, another window could not take this over any more.
      show: (step) => phase.at === 'asking' && show(account, { status: 'window', step }),
      serve(name, signal) {
        // Whatever ends the card or begins it anew ends the window too.
        signal.addEventListener('abort', () => windows.end({ window: name }))
        return serve(account, windows, name, signal).catch((error: unknown) => {
          if (!signal.aborted) {
            windows.end({ window: name, problem: { code: toLatchkeyError(error, 'error', '').code } })
          }
          throw error
        })
      },
      onDone: () => handle.end(done({})),
      onFailed(error) {
        window.abandon()
        fail(account, error)
      },
    })
    opened = window.hear
    phase = { at: 'asking', ...(obstacle && { error: errorOf(noWindowErrors[obstacle]()) }) }
    window.ask()
  }

  /** From the window that is there to its end. */
  async function serve(account: WalletAccount, windows: ExportWindows, name: string, signal: AbortSignal) {
    const { publicKey } = await windows.begin({ window: name, address: account.address }, signal)
    const confirmation = await confirm(account, windows, name, signal)
    phase = { at: 'busy' }
    const operation = await wallet.begin({ signal })
    try {
      await open({ operation, account, name, publicKey, confirmation }, signal)
    } finally {
      wallet.end(operation)
    }
    phase = { at: 'open' }
    show(account, { status: 'open' })
    if (!wasOpen) analytics('embedded_wallet_key_export_completed')
    wasOpen = true
    // A frame that is gone has closed it too.
    await windows.closed(name, signal).catch(() => {})
  }

  /** What is given up on the card, or closed, can not be approved any more. */
  async function confirm(
    { address }: WalletAccount,
    windows: ExportWindows,
    window: string,
    signal: AbortSignal,
  ): Promise<Handle> {
    const action: AccountAction = { method: 'export', params: [address] }
    const { handle: put, digest } = await wallet.confirm(address, action, { place: 'page', signal })
    const named = { handle: put, digest }
    try {
      const { statement } = await windows.confirm({ window, ...named }, signal)
      const { state } = await api.call(
        confirmPageRoutes.decideConfirmation,
        { ...named, decision: 'approve', statement },
        { signal },
      )
      if (state !== 'approved') throw confirmationExpired()
      return named
    } catch (error) {
      // Where the server is not reached, its own time ends the request.
      api.call(confirmPageRoutes.decideConfirmation, { ...named, decision: 'refuse' }).catch(() => {})
      throw error
    }
  }

  /** In an operation of the frame, which keeps the verification; the release is sealed to the key of the window. */
  async function open(opening: Opening, signal: AbortSignal): Promise<void> {
    await verify(opening, 'known', signal)
    try {
      await release(opening, signal)
    } catch (error) {
      if (!isUnverified(error)) throw error
      // A method that was added elsewhere since.
      await verify(opening, 'told', signal)
      await release(opening, signal)
    }
  }

  const verify = (
    { operation, account, confirmation }: Opening,
    due: 'known' | 'told',
    signal: AbortSignal,
  ): Promise<void> =>
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

  async function release(
    { operation, account: { address }, name, publicKey, confirmation }: Opening,
    signal: AbortSignal,
  ): Promise<void> {
    const sealedTo = { ...operation, publicKey, window: name }
    const { data } = await wallet.tokenFor(sealedTo, 'export', address, { signal, confirmation })
    await operation.channel.call('wallet:export', { ...data, address, window: name }, { signal })
  }

  return {
    kind: 'export',
    run,
    onClose() {
      if (wasOpen) return done({})
      return failed(('error' in phase && phase.error) || rejectedError())
    },
  }
}

const noWindowErrors = {
  'in-app': () =>
    new LatchkeyError('approval_required_elsewhere', 'A browser inside of an app opens no windows'),
  'cut-off': () => new LatchkeyError('not_supported', 'The page around keeps its windows apart'),
} as const

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
