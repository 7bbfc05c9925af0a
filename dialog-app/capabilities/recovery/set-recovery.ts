/**
 * The host's call `setWalletRecovery`: the user chooses the recovery method of their wallet, or of the wallet that is
 * created then.
 */
import { findEmbeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { requiresRecoveryChoice } from '../../host/settings.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { chooseMethod } from './choose-method.ts'
import type { RecoveryOutside } from './outside.ts'
import { recoveryOptions } from './recovery-options.ts'

export function createSetRecoveryFlow(
  ports: CapabilityPorts,
  handle: FlowHandle<WalletAccount>,
  outside: RecoveryOutside = {},
): RunningFlow<WalletAccount> {
  const { analytics, wallet } = ports
  const callWallet = createWalletCalls(ports.remedies)

  async function run() {
    const settings = ports.settings()
    const options = await recoveryOptions(settings, outside.hasPrf)
    if (options.length === 0) throw noMethod()
    const account = findEmbeddedWallet(await requireUser(ports, handle))
    if (!account && !requiresRecoveryChoice(settings)) throw noWallet()
    let result: WalletAccount | undefined
    await chooseMethod(ports, handle, options, {
      present: account?.recoveryMethod,
      address: () => (account ?? presentAccount(ports))?.address ?? null,
      leave: () => handle.end(),
      outside,
      async save(own) {
        // Another tab may have created the wallet in the meantime. It gets this recovery then.
        const present = account ?? presentAccount(ports)
        result = present && own.confirmation ? await setRecovery(present, own) : await ports.makeWallet(own)
      },
    })
    if (result) handle.settle(done(result))
  }

  async function setRecovery(account: WalletAccount, own: OwnRecovery): Promise<WalletAccount> {
    analytics('embedded_wallet_set_recovery_started')
    try {
      // Recovers a missing share before the user is verified for the change.
      await callWallet({
        event: 'wallet:connect',
        account,
        card: handle,
        call: () => wallet.connect(account.address, handle),
      })
      await callWallet({
        event: 'wallet:set-recovery',
        account,
        card: handle,
        call: (verification) =>
          wallet.setRecovery(account.address, { signal: handle.signal, verification, own }),
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
    onClose: () => failed(new LatchkeyError(exitCodes.password, 'The user left without setting a recovery')),
  }
}

const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
const noMethod = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app has no recovery method for its users')

function presentAccount({ session }: CapabilityPorts): WalletAccount | undefined {
  const state = session.state()
  return state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
}
