/**
 * How a share enters and leaves the vault: HPKE (RFC 9180) in base mode, DHKEM(P-256), HKDF-SHA256, AES-256-GCM.
 *
 * The page that carries sealed shares can not read them. Base mode does not say who sealed: what was opened is
 * believed only after the share inside says what it is and the address derived from it is the pinned one.
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
  type ReleasedFor,
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
  /** The raw point in base64url: what a wallet token binds. */
  publicKey: string
  /** Opens a share. One that was released for a signature opens for its digest alone. */
  open: (sealed: SealedShare, context: ShareContext, releasedFor: ReleasedFor) => Promise<SecretBytes>
  /** Opens the password that the recovery window sealed. */
  openPassword: (sealed: SealedShare, step: OperationStep) => Promise<SecretBytes>
  /** Opens the key that the recovery window derived from a passkey and sealed. */
  openPasskey: (sealed: SealedShare, step: OperationStep) => Promise<SecretBytes>
  /** The text of a key that a host brought, as the dialog sealed it. The pair is of one use, which nothing has to name. */
  openKeyText: (sealed: SealedShare) => Promise<SecretBytes>
  /** A key that the user brought along, as the vault of the page that took it sealed it. */
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

/** The private half cannot be exported, not even by this worker. */
export async function makeVaultKey(): Promise<VaultKey> {
  const keyPair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
    'deriveBits',
  ])
  const point = await crypto.subtle.exportKey('raw', keyPair.publicKey)
  async function open({ enc, ct }: SealedShare, as: Uint8Array<ArrayBuffer>, about: Uint8Array<ArrayBuffer>) {
    try {
      const opened = await suite.open(
        { recipientKey: keyPair, enc: bytesOf(enc), info: as },
        bytesOf(ct),
        about,
      )
      return new Uint8Array(opened)
    } catch (error) {
      throw new LatchkeyError('envelope_refused', 'What came was not sealed to this step of this operation', {
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

/** What shows to the server that somebody knows the password of this wallet and generation. */
export const sealAccessToServer = (server: ServerSealingKey, access: SecretBytes, context: ShareContext) =>
  seal(server.publicKey, info.accessToServer, access, canonicalShareContext(context))

/** A share of this device, for another vault of this user. */
export const sealToOtherVault = (
  vaultKey: string,
  share: SecretBytes,
  context: ShareContext,
  releasedFor: ReleasedFor,
) => seal(vaultKey, info.toVault, share, canonicalReleaseContext(context, releasedFor))

/** A key that was brought along, for the vault that makes a wallet of it. */
export const sealImported = (vaultKey: string, key: SecretBytes, step: OperationStep) =>
  seal(vaultKey, info.importedToVault, key, canonicalImportContext(step))

/** What its user typed or what their passkey gave, for one step of the vault that is to use it. */
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
  const recipientPublicKey = await keyFrom(publicKey)
  // The library copies what is no ArrayBuffer, and leaves its copy behind.
  const { enc, ct } = await withSecret(new Uint8Array(secret), ({ buffer }) =>
    suite.seal({ recipientPublicKey, info: as }, buffer, about),
  )
  return { v: 1, enc: textOf(enc), ct: textOf(ct) }
}

/** Importing checks that the point is on the curve. */
async function keyFrom(publicKey: string): Promise<CryptoKey> {
  try {
    return await suite.kem.deserializePublicKey(bytesOf(publicKey))
  } catch (error) {
    throw new LatchkeyError('invalid_request_arguments', 'A key to seal to is not one of P-256', {
      cause: error,
    })
  }
}

const textOf = (bytes: ArrayBuffer) => base64urlnopad.encode(new Uint8Array(bytes))
const bytesOf = (text: string) => new Uint8Array(base64urlnopad.decode(text))
