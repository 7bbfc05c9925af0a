/** A browser without a share of the wallet gets one when the user enters the password that they chose. */
import { toLatchkeyError } from '@latchkey/protocol'
import type { FlowHandle } from '../../core/flow.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { screen } from '../../core/screen.ts'
import type { Remedy } from '../../core/wallet-obstacles.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import { recoverFrom } from './by-user.ts'
import type { PasswordRecoveryState, RecoveryProblem } from './password-recovery-screen.tsx'
import { passwordRecoveryScreen } from './screens.ts'

export const recoverByPassword = (
  ports: Pick<FlowPorts, 'wallet' | 'session' | 'clock' | 'analytics'>,
): Remedy => recoverFrom(ports, 'user-passcode', askForPassword)

/** As often as it takes. */
const askForPassword = (handle: FlowHandle<void>, use: (own: OwnRecovery) => Promise<void>) =>
  new Promise<void>((resolve) => {
    function show(state: PasswordRecoveryState) {
      const view = screen(passwordRecoveryScreen, state, { recover: (password) => void recover(password) })
      if (handle.isAt(passwordRecoveryScreen)) handle.update(view)
      else handle.replace(view)
    }

    async function recover(password: string) {
      show({ status: 'recovering' })
      try {
        await use({ method: 'user-passcode', password })
      } catch (error) {
        if (!handle.signal.aborted) show({ status: 'asking', problem: problemOf(error) })
        return
      }
      resolve()
    }

    show({ status: 'asking' })
  })

/** Of what was typed the server says one thing only. */
function problemOf(error: unknown): RecoveryProblem {
  const { code, retryAfterSeconds } = toLatchkeyError(error, 'error', '')
  switch (code) {
    case 'invalid_recovery_pin':
    case 'invalid_request_arguments':
      return { type: 'wrong-password' }
    case 'too_many_requests':
      return { type: 'locked', minutes: Math.max(1, Math.ceil((retryAfterSeconds ?? 60) / 60)) }
    default:
      return { type: 'failed' }
  }
}
