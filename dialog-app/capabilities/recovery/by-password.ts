/** A browser without a share of the wallet gets one when the user enters the password that they chose. */
import { LatchkeyError, toLatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { done, type Flow, failed } from '../../core/flow.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { screen } from '../../core/screen.ts'
import type { CallWallet, Remedy } from '../../core/wallet-obstacles.ts'
import type { PasswordRecoveryState, RecoveryProblem } from './password-recovery-screen.tsx'
import { passwordRecoveryScreen } from './screens.ts'
import { english } from './texts.en.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'analytics'>

export const recoverByPassword = (ports: Ports): Remedy => ({
  obstacle: 'wallet_not_on_device',
  helps: ({ account }) => account?.recoveryMethod === 'user-passcode',
  async overcome(call, callWallet) {
    const { account, card } = call
    if (account) {
      // Another tab may just have put a new share in the place of the old one: then nobody needs to be asked.
      const isHere = await ports.wallet.connect(account.address, { signal: card.signal }).then(
        () => true,
        () => false,
      )
      if (!isHere) await card.interrupt(passwordRecovery(ports, account, callWallet))
    }
    return callWallet(call)
  },
})

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
            wallet.recover(account.address, { signal: handle.signal, verification, password }),
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
      onClose: () => failed(hasFailed ? notRecovered() : leftUnopened()),
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

const notRecovered = () => new LatchkeyError('unknown_embedded_wallet_error', english.problems.notRecovered)
const leftUnopened = () =>
  new LatchkeyError('user_rejected_request', 'The user left without recovering the wallet')
