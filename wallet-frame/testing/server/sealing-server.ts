/** The server's end of sealing, for tests: opens shares that a vault sealed, and seals shares to a vault. */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalPasskeyContext,
  canonicalPasswordContext,
  canonicalReleaseContext,
  canonicalShareContext,
  type OperationStep,
  passkeyInfo,
  recoveryInfo,
  type SealedShare,
  type ServerSealingKey,
  type ShareContext,
  sealingInfo,
  type WalletPurpose,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const infos = { ...sealingInfo, ...recoveryInfo, passkeyToVault: passkeyInfo.secretToVault }
export type Direction = keyof typeof infos
const infoOf = (direction: Direction) => new TextEncoder().encode(infos[direction])
const bytesOf = (text: string) => new Uint8Array(base64urlnopad.decode(text))
const textOf = (bytes: ArrayBuffer) => base64urlnopad.encode(new Uint8Array(bytes))

export async function sealingServer() {
  const keyPair = await suite.kem.generateKeyPair()
  const point = new Uint8Array(await suite.kem.serializePublicKey(keyPair.publicKey))
  const key: ServerSealingKey = { id: 'seal_1', publicKey: base64urlnopad.encode(point) }
  return {
    key,
    open: async (sealed: SealedShare, context: ShareContext, direction: Direction = 'toServer') =>
      new Uint8Array(
        await suite.open(
          { recipientKey: keyPair, enc: bytesOf(sealed.enc), info: infoOf(direction) },
          bytesOf(sealed.ct),
          canonicalShareContext(context),
        ),
      ),
  }
}

export async function sealToVault(
  vaultPublicKey: string,
  bytes: Uint8Array<ArrayBuffer>,
  context: ShareContext,
  operation: OperationStep,
  digest: string | null = null,
  purpose: WalletPurpose = digest === null ? 'recover' : 'sign',
  direction: Direction = 'toVault',
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(vaultPublicKey))
  const { enc, ct } = await suite.seal(
    { recipientPublicKey, info: infoOf(direction) },
    bytes,
    canonicalReleaseContext(context, { operation, purpose, digest }),
  )
  return { v: 1, enc: textOf(enc), ct: textOf(ct) }
}

/** Seals a password as the recovery window does. */
export const sealPassword = (vaultPublicKey: string, password: string, operation: OperationStep) =>
  sealGiven(
    vaultPublicKey,
    'passwordToVault',
    new TextEncoder().encode(password),
    canonicalPasswordContext(operation),
  )

/** Seals the private key of a host page as the dialog does. */
export const sealKeyText = (vaultPublicKey: string, text: string) =>
  sealGiven(vaultPublicKey, 'keyToVault', new TextEncoder().encode(text), new Uint8Array())

/** Seals the PRF output of a passkey as the recovery window does. */
export const sealPasskey = (
  vaultPublicKey: string,
  secret: Uint8Array<ArrayBuffer>,
  operation: OperationStep,
) => sealGiven(vaultPublicKey, 'passkeyToVault', secret, canonicalPasskeyContext(operation))

async function sealGiven(
  vaultPublicKey: string,
  direction: Direction,
  bytes: Uint8Array<ArrayBuffer>,
  about: Uint8Array<ArrayBuffer>,
): Promise<SealedShare> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(bytesOf(vaultPublicKey))
  const { enc, ct } = await suite.seal({ recipientPublicKey, info: infoOf(direction) }, bytes, about)
  return { v: 1, enc: textOf(enc), ct: textOf(ct) }
}
