/** The keys of a vault's operations: real points of P-256, so that what is sealed to one can be opened here. */
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { canonicalPasswordContext, type OperationStep, type SealedShare } from '@latchkey/protocol/wallet'

type Key = { readonly publicKey: string; readonly privateKey: JsonWebKey }
const made = new Map<number, Key>()

function keyOf(operation: number): Key {
  const known = made.get(operation)
  if (known) return known
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.of(4),
    ...[jwk.x, jwk.y].map((half) => Buffer.from(half ?? '', 'base64url')),
  ])
  const key = { publicKey: point.toString('base64url'), privateKey: jwk }
  made.set(operation, key)
  return key
}

/** The key of the operation that was begun first, second …, of the length that a key has. */
export const publicKeyOf = (operation: number) => keyOf(operation).publicKey

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** As the vault opens it: with the key of that operation, for this step alone. */
export async function passwordSealedTo(
  operation: number,
  step: OperationStep,
  { enc, ct }: SealedShare,
): Promise<string> {
  const opened = await suite.open(
    {
      recipientKey: await suite.kem.importKey('jwk', keyOf(operation).privateKey, false),
      enc: bytesOf(enc),
      info: new TextEncoder().encode('latchkey/recovery-password/to-vault/1'),
    },
    bytesOf(ct),
    canonicalPasswordContext(step),
  )
  return new TextDecoder().decode(opened)
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
