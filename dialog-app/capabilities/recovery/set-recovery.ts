/**
 * The host's call `setWalletRecovery`: the user chooses the recovery method of their wallet, or of the wallet that is
 * created then.
 */
import { findEmbeddedWallet, LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import { createCall } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type CardHandle, done, exitCodes, type Flow, failed } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { requiresRecoveryChoice } from '../../host/settings.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { chooseMethod } from './choose-method.ts'
import type { RecoveryOutside } from './outside.ts'
import { recoveryOptions } from './recovery-options.ts'

export function createSetRecoveryCall(
  ports: CapabilityPorts,
  outside: RecoveryOutside = {},
): Flow<WalletAccount> {
  const { analytics, wallet } = ports
  const callWallet = createWalletCalls(ports.remedies)
  const onClose = () => failed(exited())

  return createCall<WalletAccount>(ports, { kind: 'recovery', onClose }, async ({ card, settle }) => {
    const settings = ports.settings()
    const options = await recoveryOptions(settings, outside.hasPrf)
    if (options.length === 0) throw noMethod()
    const account = findEmbeddedWallet(await requireUser(ports, card))
    if (!account && !requiresRecoveryChoice(settings)) throw noWallet()
    const leaving = Promise.withResolvers<void>()
    let result: WalletAccount | undefined
    const choice = chooseMethod(ports, card, options, {
      present: account?.recoveryMethod,
      address: () => (account ?? presentAccount(ports))?.address ?? null,
      leave: leaving.resolve,
      outside,
      async save(own) {
        // Another tab may have created the wallet in the meantime. It gets this recovery then.
        const present = account ?? presentAccount(ports)
        result =
          present && own.confirmation ? await setRecovery(card, present, own) : await ports.makeWallet(own)
      },
    })
    await Promise.race([choice, leaving.promise])
    if (!result) throw exited()
    settle(done(result))
    // The user reads the success.
    await leaving.promise
    return result
  })

  async function setRecovery(
    card: CardHandle,
    account: WalletAccount,
    own: OwnRecovery,
  ): Promise<WalletAccount> {
    const { address } = account
    analytics('embedded_wallet_set_recovery_started')
    try {
      // Recovers a missing share before the user is verified for the change.
      await callWallet({
        event: 'wallet:connect',
        account,
        card,
        call: () => wallet.connect(address, card),
      })
      await callWallet({
        event: 'wallet:set-recovery',
        account,
        card,
        call: (verification) => wallet.setRecovery(address, { signal: card.signal, verification, own }),
      })
    } catch (error) {
      analytics('embedded_wallet_set_recovery_failed', failurePayload(error))
      throw error
    }
    analytics('embedded_wallet_set_recovery_completed')
    return presentAccount(ports) ?? account
  }
}

const exited = () => new LatchkeyError(exitCodes.password, 'The user left without setting a recovery')
const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
const noMethod = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app has no recovery method for its users')

function presentAccount({ session }: CapabilityPorts): WalletAccount | undefined {
  const state = session.state()
  return state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
}
