/**
 * Recovery by a file in the user's own cloud. This page transports the file but never the envelope that its
 * key opens. The server stores that envelope and returns it sealed to the vault.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { assertAddress, toPinnedWallet } from '../../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../../shares/ports.ts'
import type { RecoveryInputs, RecoveryMethodPart } from '../recovery-method.ts'
import { type CloudFiles, cloudProblem } from './files.ts'

export const createCloudRecovery = (
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
      throw new LatchkeyError('disallowed_recovery_method', 'This wallet has another recovery method')
    }
    const pinned = toPinnedWallet(ports, wallet)
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

/** Returns the cloud's URL. The page's CSP allows no other. */
export function getCloudAddress(clouds: Readonly<Record<string, string>>, method: CloudRecovery): string {
  const address = clouds[method]
  if (address !== undefined) return address
  throw new LatchkeyError('disallowed_recovery_method', `Recovery by ${method} is not available`)
}
