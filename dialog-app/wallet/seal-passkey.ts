/** Derives from what a passkey gave what the vault is to have, and seals that. */
import {
  canonicalPasskeyContext,
  type OperationStep,
  passkeyInfo,
  type SealedShare,
} from '@latchkey/protocol/wallet'
import { sealToVault } from './seal-to-vault.ts'

const SECRET_BITS = 256

export async function sealPasskey(
  vaultKey: string,
  operation: OperationStep,
  given: CryptoKey,
): Promise<SealedShare> {
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: new TextEncoder().encode(passkeyInfo.secret),
  }
  const secret = new Uint8Array(await crypto.subtle.deriveBits(derivation, given, SECRET_BITS))
  const about = canonicalPasskeyContext(operation)
  return sealToVault({ vaultKey, info: passkeyInfo.secretToVault, about }, secret)
}
