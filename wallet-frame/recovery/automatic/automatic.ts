/**
 * Automatic recovery: the server also stores the recovery share and releases both shares to a vault. Needs no
 * input.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import { assertAddress, toPinnedWallet } from '../../shares/pinned-wallet.ts'
import type { RecoveryMethodPart } from '../recovery-method.ts'

export const automatic: RecoveryMethodPart = {
  asks: [],
  operations: { create: 'create', import: 'import', recover: 'recover' },
  async recover(ports, call, { address }) {
    const { operation, signal } = call
    const { wallet, authShare, recoveryShare } = await call.withFactor((factor) =>
      ports.api(walletRoutes.releaseShares, call, factor),
    )
    assertAddress(wallet, address)
    if (wallet.recoveryMethod !== product.automaticRecovery || recoveryShare === null) {
      throw new LatchkeyError('disallowed_recovery_method', 'This wallet has another recovery method')
    }
    const recovered = await ports.vault.call(
      'recover',
      { operation, wallet: toPinnedWallet(ports, wallet), auth: authShare, recovery: recoveryShare },
      signal,
    )
    return recovered.address
  },
}
