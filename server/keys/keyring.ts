/** The server's own keys, unwrapped and ready for use. Refreshed when an id is met that another process made. */
import type { KeyObject } from 'node:crypto'

export type SigningKey = {
  readonly id: string
  /** P-256; `jose` takes it as it is, with `alg: 'ES256'` and `kid: id`. */
  readonly privateKey: KeyObject
}

export type SealingKey = {
  readonly id: string
  /** Uncompressed P-256 point, base64url. */
  readonly publicKey: string
  /** ECDH P-256 pair of WebCrypto, as HPKE takes it. */
  readonly keyPair: CryptoKeyPair
}

export type PublicJwk = {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly alg: 'ES256'
  readonly use: 'sig'
}

export type Keyring = {
  /** What new tokens are signed with. */
  signingKey(): SigningKey
  /** Also of keys that were rotated out and whose tokens still live. */
  verificationKey(id: string): Promise<KeyObject | undefined>
  /** What browsers seal new shares to. */
  sealingKey(): SealingKey
  sealingKeyOf(id: string): Promise<SealingKey | undefined>
  /** 32 bytes that are in no database, a different one for each purpose. */
  pepper(purpose: string): Uint8Array
  publicJwks(): Promise<{ readonly keys: readonly PublicJwk[] }>
}
