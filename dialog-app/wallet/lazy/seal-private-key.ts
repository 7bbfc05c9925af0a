/** Seals a key that a host brought. The key pair of the vault is of one use, so nothing else is to be named. */
import { type SealedShare, sealingInfo } from '@latchkey/protocol/wallet'
import { sealTextToVault } from './seal-to-vault.ts'

export const sealPrivateKey = (vaultKey: string, privateKey: string): Promise<SealedShare> =>
  sealTextToVault({ vaultKey, info: sealingInfo.keyToVault, about: new Uint8Array(0) }, privateKey)
