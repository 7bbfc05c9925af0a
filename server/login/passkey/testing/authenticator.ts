/** An authenticator and its browser, from a server's perspective: https://www.w3.org/TR/webauthn-3/ */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Cbor, cbor } from './cbor.ts'

export const flag = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 } as const

/** The parts of a ceremony that a test may change. */
export type Ceremony = {
  challenge: string
  origin: string
  crossOrigin?: boolean
  topOrigin?: string
  type?: string
  rpId: string
  flags?: number
  counter?: number
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array) => Buffer.from(data).toString('base64url')

const bigEndian = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const authenticatorData = (rpId: string, flags: number, counter: number, more = Buffer.alloc(0)) =>
  Buffer.concat([sha256(rpId), Buffer.of(flags), bigEndian(counter), more])

export const attestedCredential = (aaguid: Uint8Array, id: Uint8Array, publicKey: Uint8Array) =>
  Buffer.concat([aaguid, Buffer.of(id.length >> 8, id.length & 0xff), id, publicKey])

export type Statement = ReadonlyMap<string, Cbor>
export const attestationObject = (
  authData: Uint8Array,
  format = 'none',
  statement: Statement = new Map<string, Cbor>(),
) =>
  cbor(
    new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]),
  )

export const clientData = (type: string, { challenge, origin, crossOrigin, topOrigin }: Ceremony) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin, topOrigin }))

const coordinate = (encoded: string | undefined) => Buffer.from(encoded ?? '', 'base64url')

/** Key types with their COSE parameters. */
const keyKinds = {
  ES256: () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ])
    return { privateKey, cose, hash: 'sha256' }
  },
  EdDSA: () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { x } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Buffer>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, coordinate(x)],
    ])
    return { privateKey, cose, hash: undefined }
  },
  RS256: () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Buffer>([
      [1, 3],
      [3, -257],
      [-1, coordinate(n)],
      [-2, coordinate(e)],
    ])
    return { privateKey, cose, hash: 'sha256' }
  },
  /** An algorithm that the server does not request. */
  RS512: () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Buffer>([
      [1, 3],
      [3, -259],
      [-1, coordinate(n)],
      [-2, coordinate(e)],
    ])
    return { privateKey, cose, hash: 'sha512' }
  },
} satisfies Record<
  string,
  () => { privateKey: KeyObject; cose: ReadonlyMap<number, number | Buffer>; hash: string | undefined }
>

type Made = { kind?: keyof typeof keyKinds; aaguid?: string; counts?: boolean }

/** Creates a passkey with responses in the dialog's format. */
export function testPasskey({ kind = 'ES256', aaguid = '', counts = false }: Made = {}) {
  const { privateKey, cose, hash } = keyKinds[kind]()
  const id = randomBytes(32)
  let used = 0
  let userHandle: string | undefined
  const frame = (response: Readonly<Record<string, unknown>>) => ({
    id: base64url(id),
    raw_id: base64url(id),
    response,
    authenticator_attachment: 'platform',
    client_extension_results: {},
    type: 'public-key',
  })
  const next = () => {
    if (counts) used += 1
    return used
  }
  return {
    credentialId: base64url(id),
    make(user: string, ceremony: Ceremony, format?: string, statement?: Statement) {
      // The user handle stays that of the first user.
      userHandle ??= user
      const { rpId, flags = flag.userPresent | flag.userVerified | flag.attested } = ceremony
      const attested = attestedCredential(
        Buffer.from(aaguid.replaceAll('-', '').padEnd(32, '0'), 'hex'),
        id,
        cbor(cose),
      )
      const data = authenticatorData(rpId, flags, ceremony.counter ?? next(), attested)
      return frame({
        client_data_json: base64url(clientData(ceremony.type ?? 'webauthn.create', ceremony)),
        attestation_object: base64url(attestationObject(data, format, statement)),
        transports: ['internal', 'hybrid'],
      })
    },
    answer(ceremony: Ceremony, handle = userHandle) {
      const { rpId, flags = flag.userPresent | flag.userVerified } = ceremony
      const data = authenticatorData(rpId, flags, ceremony.counter ?? next())
      const client = clientData(ceremony.type ?? 'webauthn.get', ceremony)
      const signature = sign(hash, Buffer.concat([data, sha256(client)]), privateKey)
      return frame({
        client_data_json: base64url(client),
        authenticator_data: base64url(data),
        signature: base64url(signature),
        ...(handle !== undefined && { user_handle: handle }),
      })
    },
  }
}
export type TestPasskey = ReturnType<typeof testPasskey>
