/**
 * Shows users their key. The wallet connects, and a window of the wallet origin asks for confirmation and then shows the
 * key. The server's release goes from the wallet frame to that window, never through this page.
 */
import {
  findEmbeddedWallet,
  LatchkeyError,
  toLatchkeyError,
  type WalletAccount,
  walletLimits,
} from '@latchkey/protocol'
import { type CallScreens, createCall } from '../../app/screen-stack.ts'
import { type NoWindow, noWindowIn, type WindowAttempt } from '../../app/wallet-window/wallet-window.ts'
import { isRefusal, rejectedError } from '../../approval/rejection.ts'
import { verificationProblem } from '../../approval/verification-problem.ts'
import { wait } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { KeyWindow } from './export-screen.tsx'
import { releaseKey } from './release-key.ts'
import { connectingScreen, exportScreen, failedScreen } from './screens.ts'
import { english } from './texts.arb'

/** The host page learns only that the export is over. */
export type Exported = Readonly<Record<never, never>>

export function createExportCall(
  ports: CapabilityPorts,
  { userAgent }: { userAgent: string } = navigator,
): Flow<Exported> {
  const { wallet, analytics, settings } = ports
  let wasShown = false
  /** The error of a close now, if it is not a rejection. */
  let problem: LatchkeyError | undefined

  const onClose = () => (wasShown ? done({}) : failed(problem ?? rejectedError()))
  return createCall<Exported>(ports, { kind: 'export', onClose }, async (card) => {
    const account = findEmbeddedWallet(await requireUser(ports, card))
    if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
    for (;;) {
      let ownProblem: OwnProblem = 'unable'
      problem = undefined
      try {
        void card.open(connectingScreen, {})
        const [windows] = await Promise.all([
          wallet.exportWindows(),
          connect(ports, card, account),
          wait(ports.clock, walletLimits.beforeExportMs, card.signal),
        ])
        ownProblem = 'failed'
        const window = keyWindow(card, account, windows)
        problem = window.obstacle && toExportError(noWindowErrors[window.obstacle](), ownProblem)
        await card.open(exportScreen, { window })
        return {}
      } catch (cause) {
        if (isRefusal(cause)) throw cause
        problem = toExportError(cause, ownProblem)
        await card.open(failedScreen, { problem: verificationProblem(problem) ?? ownProblem })
      }
    }
  })

  function keyWindow(card: CallScreens, account: WalletAccount, windows: ExportWindows): KeyWindow {
    const { address } = account
    async function serve(name: string, { signal, setInUse }: WindowAttempt, onShown: () => void) {
      // The window ends with the card, and with this attempt.
      signal.addEventListener('abort', () => windows.end({ window: name }))
      try {
        const onConfirmed = () => setInUse(true)
        await releaseKey(ports, { card, account, windows, window: name, signal, onConfirmed })
      } catch (error) {
        if (!signal.aborted) {
          windows.end({ window: name, problem: { code: toLatchkeyError(error, 'error', '').code } })
        }
        throw error
      }
      if (signal.aborted) return
      wasShown = true
      analytics('embedded_wallet_key_export_completed')
      onShown()
      // A removed frame has closed the window too.
      await windows.closed(name, signal).catch(() => {})
    }
    return {
      address,
      obstacle: noWindowIn(settings(), userAgent),
      next: () => windows.next(address),
      serve,
    }
  }
}

/** Connects the wallet. A device without its share receives one, which connects the wallet too. */
async function connect(
  { wallet, remedies }: Pick<CapabilityPorts, 'wallet' | 'remedies'>,
  card: CallScreens,
  account: WalletAccount,
): Promise<void> {
  let isTried = false
  await createWalletCalls(remedies)({
    event: 'wallet:connect',
    account,
    card,
    async call() {
      if (isTried) return
      isTried = true
      await wallet.connect(account.address, { signal: card.signal })
    },
  })
}

type OwnProblem = keyof Pick<typeof english.problems, 'failed' | 'unable'>

const noWindowErrors = {
  'in-app': () =>
    new LatchkeyError('approval_required_elsewhere', 'A browser inside of an app opens no windows'),
  'cut-off': () => new LatchkeyError('not_supported', 'The page around keeps its windows apart'),
} as const satisfies Record<NoWindow, () => LatchkeyError>

/** Keeps errors of the verification. */
function toExportError(cause: unknown, problem: OwnProblem): LatchkeyError {
  const error = toLatchkeyError(cause, 'unknown_embedded_wallet_error', english.problems.failed)
  if (verificationProblem(error)) return error
  return new LatchkeyError('unknown_embedded_wallet_error', english.problems[problem], {
    cause: error,
    details: { cause: error.code },
  })
}
