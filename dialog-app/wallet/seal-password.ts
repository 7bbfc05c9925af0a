/** Seals the password that the user typed. */
import {
  canonicalPasswordContext,
  type OperationStep,
  recoveryInfo,
  type SealedShare,
} from '@latchkey/protocol/wallet'
import { sealTextToVault } from './seal-to-vault.ts'

export const sealPassword = (
  vaultKey: string,
  operation: OperationStep,
  password: string,
): Promise<SealedShare> =>
  sealTextToVault(
    { vaultKey, info: recoveryInfo.passwordToVault, about: canonicalPasswordContext(operation) },
    password.normalize('NFKC'),
  )
