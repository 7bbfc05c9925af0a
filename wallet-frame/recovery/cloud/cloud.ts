/**
 * Recovery by a file in the user's own cloud. This page carries the file, whose key opens nothing that this page ever
 * has: what it opens goes to the server and comes back sealed, past this page, to the vault.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { assertAddress, pinnedWallet } from '../../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery-method.ts'
import { type CloudFiles, cloudProblem } from './files.ts'

export const byCloud = (
  method: CloudRecovery,
  open: (ports: WalletPorts, call: StepCall, inputs: RecoveryInputs) => Promise<CloudFiles>,
): RecoveryMethodPart => ({
  asks: ['recoveryCloud'],
  operations: { create: 'create', import: 'import', recover: 'recover', set: 'set-file' },
  storageFor: () => ({ method }),
  async openFiles(ports, call, inputs) {
    const { write, read, remove } = await open(ports, call, inputs)
    return {
      async store(of, text) {
        await write(of, text)
        if ((await read(of)) !== text) throw cloudProblem('file_malformed')
      },
      remove,
    }
  },
  async recover(ports, call, { address, inputs }) {
    const { operation, signal } = call
    const { wallet, authShare, recoveryShare } = await call.withFactor((factor) =>
      ports.api(walletRoutes.releaseShares, call, factor),
    )
    assertAddress(wallet, address)
    if (wallet.recoveryMethod !== method || recoveryShare === null) {
      throw new LatchkeyError('disallowed_recovery_method', 'This wallet is recovered by something else')
    }
    const pinned = pinnedWallet(ports, wallet)
    const files = await open(ports, call, inputs)
    const file = await files.read(pinned)
    const recovered = await ports.vault.call(
      'recover',
      { operation, wallet: pinned, auth: authShare, recovery: recoveryShare, file },
      signal,
    )
    return recovered.address
  },
})

/** Where it is asked. The page's policy names no other place. */
export function addressOf(clouds: Readonly<Record<string, string>>, method: CloudRecovery): string {
  const address = clouds[method]
  if (address !== undefined) return address
  throw new LatchkeyError('disallowed_recovery_method', `Recovery by ${method} is not available`)
}
