/**
 * Recovery by a password. The server stores the recovery share, encrypted under a key that it never receives.
 * It releases the share for a second key, which the vault derives from the same password. This page can read
 * neither key.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import { assertAddress, toPinnedWallet } from '../../shares/pinned-wallet.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery-method.ts'

export const password: RecoveryMethodPart = {
  asks: ['recoveryPassword'],
  operations: {
    create: 'create-with-password',
    import: 'import-with-password',
    recover: 'recover-with-password',
    set: 'set-password',
  },
  storageFor: (inputs) => ({ method: 'user-passcode', password: requirePassword(inputs) }),
  async recover(ports, call, { address, inputs }) {
    const { operation, signal } = call
    const { wallet, params, sealingKey } = await ports.api(recoveryRoutes.passwordParams, call)
    assertAddress(wallet, address)
    const pinned = toPinnedWallet(ports, wallet)
    const { access } = await ports.vault.call(
      'unlock',
      { wallet: pinned, operation, password: requirePassword(inputs), params, serverKey: sealingKey },
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
    // A concurrent reshare created another generation, perhaps with another password.
    if (released.wallet.generation !== wallet.generation) throw wrongPassword()
    const recovered = await ports.vault.call(
      'recoverUnlocked',
      { wallet: pinned, operation, auth: authShare, recoveryEnvelope },
      signal,
    )
    return recovered.address
  },
}

function requirePassword({ recoveryPassword }: RecoveryInputs) {
  if (recoveryPassword) return recoveryPassword
  throw new LatchkeyError('invalid_request_arguments', 'A password is required')
}

const wrongPassword = () =>
  new LatchkeyError('invalid_recovery_pin', 'This password does not open the wallet')
