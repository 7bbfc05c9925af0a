/** Seals the password that the user typed. */
import {
  canonicalPasswordContext,
  type OperationStep,
  recoveryInfo,
  type SealedShare,
} from '@latchkey/protocol/wallet'
import { sealToVault } from './seal-to-vault.ts'

export const sealPassword = (
  vaultKey: string,
  operation: OperationStep,
  password: string,
): Promise<SealedShare> =>
  sealToVault(
    { vaultKey, info: recoveryInfo.passwordToVault, about: canonicalPasswordContext(operation) },
    // An array of its own: an encoder may give out a part of a larger one.
    new Uint8Array(new TextEncoder().encode(password.normalize('NFKC'))),
  )
