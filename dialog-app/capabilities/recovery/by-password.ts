/** A browser without a share of the wallet gets one when the user enters the password that they chose. */
import { toLatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { done, type Flow } from '../../core/flow.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { screen } from '../../core/screen.ts'
import type { CallWallet, Remedy } from '../../core/wallet-obstacles.ts'
import { leftWithout, recoverByUser } from './by-user.ts'
import type { PasswordRecoveryState, RecoveryProblem } from './password-recovery-screen.tsx'
import { passwordRecoveryScreen } from './screens.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'session' | 'analytics'>

export const recoverByPassword = (ports: Ports): Remedy =>
  recoverByUser(ports, 'user-passcode', (account, callWallet) => passwordRecovery(ports, account, callWallet))

const passwordRecovery =
  ({ wallet, analytics }: Ports, account: WalletAccount, callWallet: CallWallet): Flow<void> =>
  (handle) => {
    let hasFailed = false

    function show(state: PasswordRecoveryState) {
      const view = screen(passwordRecoveryScreen, state, { recover: (password) => void recover(password) })
      if (handle.isAt(passwordRecoveryScreen)) handle.update(view)
      else handle.replace(view)
    }

    async function recover(password: string) {
      show({ status: 'recovering' })
      analytics('embedded_wallet_recovery_started')
      try {
        await callWallet({
          event: 'wallet:recover',
          account,
          card: handle,
          call: (verification) =>
            wallet.recover(account.address, {
              signal: handle.signal,
              verification,
              own: { method: 'user-passcode', password },
            }),
        })
      } catch (error) {
        hasFailed = true
        if (!handle.signal.aborted) show({ status: 'asking', problem: problemOf(error) })
        return
      }
      analytics('embedded_wallet_recovery_completed')
      handle.end(done(undefined))
    }

    return {
      kind: 'recovery',
      run: () => show({ status: 'asking' }),
      onClose: () => leftWithout(hasFailed),
    }
  }

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
