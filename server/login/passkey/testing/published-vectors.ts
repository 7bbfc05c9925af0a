/**
 * The ES256 test vectors of Web Authentication Level 3, section 16, generated from their published seeds.
 * `ceremony.test.ts` compares a hash of the output with that of the published vectors.
 */
import { createHash, hkdfSync } from 'node:crypto'
import type { Assertion, Attestation } from '@latchkey/protocol/api'
import { attestationObject, attestedCredential, authenticatorData, flag } from './authenticator.ts'
import { type Cbor, cbor } from './cbor.ts'
import { publicPoint, signDeterministically } from './deterministic-ecdsa.ts'

export const published = {
  rpId: 'example.org',
  origin: 'https://example.org',
  topOrigin: 'https://example.com',
} as const

/** The variations of the sections. */
const vectors = {
  'none.ES256': { place: { crossOrigin: false } },
  'packed-self.ES256': { place: { crossOrigin: false }, selfAttested: true },
  'none.ES256.crossOrigin': { place: { crossOrigin: true } },
  'none.ES256.topOrigin': { place: { crossOrigin: true, topOrigin: published.topOrigin } },
  'none.ES256.long-credential-id': { place: { crossOrigin: false }, idBytes: 1_023 },
} satisfies Record<string, { place: object; selfAttested?: true; idBytes?: number }>
export type VectorName = keyof typeof vectors

const userVerified = flag.userVerified
const [backupEligible, backedUp] = [0x08, 0x10]

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array) => Buffer.from(data).toString('base64url')

function seedsOf(name: string) {
  let salt = 0
  return (length: number) => {
    const seed = hkdfSync('sha256', 'WebAuthn test vectors', Buffer.of(salt), name, length)
    salt += 1
    return Buffer.from(seed)
  }
}
type Seeds = ReturnType<typeof seedsOf>

const extraData = 'clientDataJSON may be extended with additional fields in the future, such as this: '

function clientDataOf(type: string, challenge: Buffer, place: object, next: Seeds): Buffer {
  const hasMore = ((next(1)[0] ?? 0) & 1) === 1
  const more = hasMore ? { extraData: extraData + base64url(next(16)) } : {}
  const said = { type, challenge: base64url(challenge), origin: published.origin, ...place, ...more }
  return Buffer.from(JSON.stringify(said))
}

export function publishedVector(name: VectorName) {
  const { place, ...variant } = vectors[name]
  const next = seedsOf(name)

  const challenge = next(32)
  const privateKey = next(32)
  const created = clientDataOf('webauthn.create', challenge, place, next)
  const aaguid = next(16)
  const id = next('idBytes' in variant ? variant.idBytes : 32)
  const bits = next(1)[0] ?? 0
  const { x, y } = publicPoint(privateKey)
  const key = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, x],
      [-3, y],
    ]),
  )
  const eligible = bits & backupEligible
  const flags =
    flag.userPresent | flag.attested | (bits & userVerified) | eligible | (eligible && bits & backedUp)
  const data = authenticatorData(published.rpId, flags, 0, attestedCredential(aaguid, id, key))
  const attested =
    'selfAttested' in variant
      ? attestationObject(
          data,
          'packed',
          new Map<string, Cbor>([
            ['alg', -7],
            ['sig', signDeterministically(privateKey, Buffer.concat([data, sha256(created)]))],
          ]),
        )
      : attestationObject(data)

  const nextChallenge = next(32)
  const got = clientDataOf('webauthn.get', nextChallenge, place, next)
  const laterBits = next(1)[0] ?? 0
  const laterFlags =
    flag.userPresent | (laterBits & userVerified) | eligible | (eligible && laterBits & backedUp)
  const later = authenticatorData(published.rpId, laterFlags, 0)
  const signature = signDeterministically(privateKey, Buffer.concat([later, sha256(got)]))

  const frame = {
    id: base64url(id),
    rawId: base64url(id),
    clientExtensionResults: {},
    type: 'public-key',
  } as const
  return {
    digest: createHash('sha256')
      .update([created, attested, got, later, signature].map((part) => part.toString('hex')).join('\n'))
      .digest('hex'),
    registration: {
      challenge: base64url(challenge),
      isUserVerified: (flags & userVerified) !== 0,
      answer: {
        ...frame,
        response: { clientDataJson: base64url(created), attestationObject: base64url(attested) },
      } satisfies Attestation,
    },
    authentication: {
      challenge: base64url(nextChallenge),
      isUserVerified: (laterFlags & userVerified) !== 0,
      answer: {
        ...frame,
        response: {
          clientDataJson: base64url(got),
          authenticatorData: base64url(later),
          signature: base64url(signature),
          // The published vectors have no user handle.
          userHandle: 'dXNlcg',
        },
      } satisfies Assertion,
    },
  }
}
