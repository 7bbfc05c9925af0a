/**
 * Recovery by a password. The server keeps the recovery share under a key that it never has, and gives it out for
 * another one, which the vault derives from the same password. Whoever carries these can read neither.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import { assertAddress, pinnedWallet } from '../../shares/pinned-wallet.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery-method.ts'

export const password: RecoveryMethodPart = {
  asks: ['recoveryPassword'],
  operations: {
    create: 'create-with-password',
    import: 'import-with-password',
    recover: 'recover-with-password',
    set: 'set-password',
  },
  storageFor: (inputs) => ({ method: 'user-passcode', password: passwordIn(inputs) }),
  async recover(ports, call, { address, inputs }) {
    const { operation, signal } = call
    const { wallet, params, sealingKey } = await ports.api(recoveryRoutes.passwordParams, call)
    assertAddress(wallet, address)
    const pinned = pinnedWallet(ports, wallet)
    const { access } = await ports.vault.call(
      'unlock',
      { wallet: pinned, operation, password: passwordIn(inputs), params, serverKey: sealingKey },
      signal,
    )
    const released = await call.withFactor((factor) =>
      ports.api(recoveryRoutes.releaseByPassword, call, {
        access: { sealingKeyId: sealingKey.id, sealed: access },
        ...factor,
      }),
    )
    assertAddress(released.wallet, address)
    const { authShare, recoveryEnvelope } = released
    // Another generation was made meanwhile, with another password maybe.
    if (released.wallet.generation !== wallet.generation) throw wrongPassword()
    const recovered = await ports.vault.call(
      'recoverUnlocked',
      { wallet: pinned, operation, auth: authShare, recoveryEnvelope },
      signal,
    )
    return recovered.address
  },
}

function passwordIn({ recoveryPassword }: RecoveryInputs) {
  if (recoveryPassword) return recoveryPassword
  throw new LatchkeyError('invalid_request_arguments', 'A password is needed')
}

const wrongPassword = () =>
  new LatchkeyError('invalid_recovery_pin', 'This password does not open the wallet')
