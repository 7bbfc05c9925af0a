/**
 * The host's call `setWalletRecovery`: a password for a wallet that is there, another one in its place, or a wallet of
 * a user who has none yet and says first how it is kept.
 */
import { embeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import { recoveryIsChosen } from '../../core/settings.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
import { recoveryOptions } from './recovery-options.ts'
import { passwordCreateScreen, passwordUpdateScreen, updateSplashScreen } from './screens.ts'
import { runWizard } from './wizard.ts'

export function createSetRecoveryFlow(
  ports: CapabilityPorts,
  handle: FlowHandle<WalletAccount>,
): RunningFlow<WalletAccount> {
  const { analytics, wallet } = ports
  const callWallet = createWalletCalls(ports.remedies)
  const leave = () => handle.end()

  async function run() {
    const settings = ports.settings()
    if (recoveryOptions(settings).length === 0) throw noMethod()
    const account = embeddedWallet(await requireUser(ports, handle))
    if (!account) {
      if (!recoveryIsChosen(settings)) throw noWallet()
      return choose(passwordCreateScreen, ports.makeWallet)
    }
    const save = (password: string) => setPassword(account, password)
    if (account.recoveryMethod !== 'user-passcode') return choose(passwordCreateScreen, save)
    const next = () => void choose(passwordUpdateScreen, save)
    handle.replace(screen(updateSplashScreen, {}, { next, cancel: leave }))
  }

  async function choose(
    record: typeof passwordCreateScreen | typeof passwordUpdateScreen,
    save: (password: string) => Promise<WalletAccount>,
  ) {
    let kept: WalletAccount | undefined
    await runWizard(ports, handle, {
      record,
      byUser: { cancel: leave, close: leave },
      async save(password) {
        kept = await save(password)
      },
    })
    if (kept) handle.settle(done(kept))
  }

  async function setPassword(account: WalletAccount, password: string): Promise<WalletAccount> {
    analytics('embedded_wallet_set_recovery_started')
    try {
      await callWallet({
        event: 'wallet:set-recovery',
        account,
        card: handle,
        call: (verification) =>
          wallet.setPassword(account.address, { signal: handle.signal, verification, password }),
      })
    } catch (error) {
      analytics('embedded_wallet_set_recovery_failed', failurePayload(error))
      throw error
    }
    analytics('embedded_wallet_set_recovery_completed')
    return presentAccount(ports) ?? account
  }

  return {
    kind: 'recovery',
    run,
    onClose: () => failed(new LatchkeyError(exitCodes.password, 'The user left without setting a password')),
  }
}

const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
const noMethod = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app has no recovery that its users keep')

function presentAccount({ session }: CapabilityPorts): WalletAccount | undefined {
  const state = session.state()
  return state.status === 'authenticated' ? embeddedWallet(state.user) : undefined
}
