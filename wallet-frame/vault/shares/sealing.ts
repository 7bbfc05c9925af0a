/**
 * Seals shares that enter and leave the vault: HPKE (RFC 9180) in base mode, DHKEM(P-256), HKDF-SHA256,
 * AES-256-GCM.
 *
 * The page that transports sealed shares cannot read them. Base mode does not authenticate the sender. So an
 * opened share is trusted only after its header matches and the address derived from it is the pinned one.
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { LatchkeyError } from '@latchkey/protocol'
import {
  canonicalImportContext,
  canonicalPasskeyContext,
  canonicalPasswordContext,
  canonicalReleaseContext,
  canonicalShareContext,
  type OperationStep,
  passkeyInfo,
  type ReleaseTarget,
  recoveryInfo,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  sealingInfo,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'

/** The key pair of one operation. */
export type VaultKey = {
  /** The raw public point in base64url, which wallet tokens bind. */
  publicKey: string
  /** Opens a share. A share that was released for a signature opens only with its digest. */
  open: (sealed: SealedShare, context: ShareContext, releasedFor: ReleaseTarget) => Promise<SecretBytes>
  /** Opens the password that the recovery window sealed. */
  openPassword: (sealed: SealedShare, step: OperationStep) => Promise<SecretBytes>
  /** Opens the PRF output of a passkey that the recovery window sealed. */
  openPasskey: (sealed: SealedShare, step: OperationStep) => Promise<SecretBytes>
  /**
   * Opens the key text that a host page imports, as the dialog sealed it. The key pair is used once, so no
   * step is bound.
   */
  openKeyText: (sealed: SealedShare) => Promise<SecretBytes>
  /** Opens a key that the import page's vault sealed. */
  openImported: (sealed: SealedShare, step: OperationStep) => Promise<SecretBytes>
}

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = {
  toVault: new TextEncoder().encode(sealingInfo.toVault),
  toServer: new TextEncoder().encode(sealingInfo.toServer),
  passwordToVault: new TextEncoder().encode(recoveryInfo.passwordToVault),
  passkeyToVault: new TextEncoder().encode(passkeyInfo.secretToVault),
  accessToServer: new TextEncoder().encode(recoveryInfo.accessToServer),
  keyToVault: new TextEncoder().encode(sealingInfo.keyToVault),
  importedToVault: new TextEncoder().encode(sealingInfo.importedToVault),
}

/** Generates the key pair. The private key is not exportable, not even by this worker. */
export async function generateVaultKey(): Promise<VaultKey> {
  const keyPair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ])
  const point = await crypto.subtle.exportKey('raw', keyPair.publicKey)
  async function open({ enc, ct }: SealedShare, as: Uint8Array<ArrayBuffer>, about: Uint8Array<ArrayBuffer>) {
    try {
      const plaintext = await suite.open(
        { recipientKey: keyPair, enc: decode(enc), info: as },
        decode(ct),
        about,
      )
      return new Uint8Array(plaintext)
    } catch (error) {
      throw new LatchkeyError('envelope_refused', 'The input was not sealed to this step of this operation', {
        details: { reason: 'not_authentic' },
        cause: error,
      })
    }
  }
  return {
    publicKey: base64urlnopad.encode(new Uint8Array(point)),
    open: (sealed, context, releasedFor) =>
      open(sealed, info.toVault, canonicalReleaseContext(context, releasedFor)),
    openPassword: (sealed, step) => open(sealed, info.passwordToVault, canonicalPasswordContext(step)),
    openPasskey: (sealed, step) => open(sealed, info.passkeyToVault, canonicalPasskeyContext(step)),
    openKeyText: (sealed) => open(sealed, info.keyToVault, new Uint8Array(0)),
    openImported: (sealed, step) => open(sealed, info.importedToVault, canonicalImportContext(step)),
  }
}

export const sealToServer = (server: ServerSealingKey, share: SecretBytes, context: ShareContext) =>
  seal(server.publicKey, info.toServer, share, canonicalShareContext(context))

/**
 * Seals the access key, which proves to the server that the user knows the password of this wallet and
 * generation.
 */
export const sealAccessToServer = (server: ServerSealingKey, access: SecretBytes, context: ShareContext) =>
  seal(server.publicKey, info.accessToServer, access, canonicalShareContext(context))

/** Seals the device share to another vault of the same user. */
export const sealToOtherVault = (
  vaultKey: string,
  share: SecretBytes,
  context: ShareContext,
  releasedFor: ReleaseTarget,
) => seal(vaultKey, info.toVault, share, canonicalReleaseContext(context, releasedFor))

/** Seals an imported key to the vault that creates a wallet from it. */
export const sealImported = (vaultKey: string, key: SecretBytes, step: OperationStep) =>
  seal(vaultKey, info.importedToVault, key, canonicalImportContext(step))

/** Seals a typed password to one step of the vault that uses it. */
export const sealPassword = (vaultKey: string, password: SecretBytes, step: OperationStep) =>
  seal(vaultKey, info.passwordToVault, password, canonicalPasswordContext(step))
export const sealPasskeySecret = (vaultKey: string, secret: SecretBytes, step: OperationStep) =>
  seal(vaultKey, info.passkeyToVault, secret, canonicalPasskeyContext(step))

async function seal(
  publicKey: string,
  as: Uint8Array<ArrayBuffer>,
  secret: SecretBytes,
  about: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  const recipientPublicKey = await importPublicKey(publicKey)
  // The library copies any input that is not an ArrayBuffer, and does not wipe its copy.
  const { enc, ct } = await withSecret(new Uint8Array(secret), ({ buffer }) =>
    suite.seal({ recipientPublicKey, info: as }, buffer, about),
  )
  return { v: 1, enc: encode(enc), ct: encode(ct) }
}

/** Imports a public key. This also verifies that the point is on the curve. */
async function importPublicKey(publicKey: string): Promise<CryptoKey> {
  try {
    return await suite.kem.deserializePublicKey(decode(publicKey))
  } catch (error) {
    throw new LatchkeyError(
      'invalid_request_arguments',
      'The key to seal to is not a valid P-256 public key',
      {
        cause: error,
      },
    )
  }
}

const encode = (bytes: ArrayBuffer) => base64urlnopad.encode(new Uint8Array(bytes))
const decode = (text: string) => new Uint8Array(base64urlnopad.decode(text))
