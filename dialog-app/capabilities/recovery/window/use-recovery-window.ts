import { useDialog } from '../../../app/context.ts'
import { useWalletWindow } from '../../../app/wallet-window/use-wallet-window.ts'
import { type NoWindow, noWindowIn } from '../../../app/wallet-window/wallet-window.ts'
import { type RecoveryWindow, serveWindow } from './serve-window.ts'

type Problems<Problem> = {
  noWindow: Record<NoWindow, Problem>
  toProblem: (error: unknown) => Problem
  /** Called when the recovery method is set or the wallet is recovered. */
  onUsed: () => void
}

/** Leads a screen to a recovery window. After a failure, the screen asks for another one. */
export function useRecoveryWindow<Problem>(
  recovery: RecoveryWindow,
  { noWindow, toProblem, onUsed }: Problems<Problem>,
) {
  const { services, isInFront } = useDialog()
  const obstacle = noWindowIn(services.settings(), recovery.userAgent ?? navigator.userAgent)
  return useWalletWindow<Problem>({
    obstacle: obstacle && noWindow[obstacle],
    next: recovery.windows.next,
    serve: (handle, attempt) => serveWindow(services, recovery, handle, attempt, () => !isInFront()),
    onDone: onUsed,
    onFailed: (error, ask) => ask(toProblem(error)),
  })
}
