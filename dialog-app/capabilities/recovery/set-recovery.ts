/** The host's call `setWalletRecovery`: a password for a wallet that is there, or another one in its place. */
import { embeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import { requireUser } from '../../core/require-user.ts'
import { screen } from '../../core/screen.ts'
import { recoveryOptions } from '../../core/settings.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
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
    const account = await requireAccount(ports, handle)
    if (account.recoveryMethod !== 'user-passcode') return choose(account, passwordCreateScreen)
    const next = () => void choose(account, passwordUpdateScreen)
    handle.replace(screen(updateSplashScreen, {}, { next, cancel: leave }))
  }

  async function choose(
    account: WalletAccount,
    record: typeof passwordCreateScreen | typeof passwordUpdateScreen,
  ) {
    await runWizard(ports, handle, {
      record,
      byUser: { cancel: leave, close: leave },
      save: (password) => save(account, password),
    })
    handle.settle(done(presentAccount(ports) ?? account))
  }

  async function save(account: WalletAccount, password: string) {
    analytics('embedded_wallet_set_recovery_started')
    try {
      await callWallet({
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
  }

  return {
    kind: 'recovery',
    run,
    onClose: () => failed(new LatchkeyError(exitCodes.password, 'The user left without setting a password')),
  }
}

async function requireAccount(ports: CapabilityPorts, asker: FlowHandle<WalletAccount>) {
  const account = embeddedWallet(await requireUser(ports, asker))
  if (!account) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
  if (recoveryOptions(ports.settings()).length === 0) {
    throw new LatchkeyError('disallowed_recovery_method', 'This app has no recovery that its users keep')
  }
  return account
}

function presentAccount({ session }: CapabilityPorts): WalletAccount | undefined {
  const state = session.state()
  return state.status === 'authenticated' ? embeddedWallet(state.user) : undefined
}
