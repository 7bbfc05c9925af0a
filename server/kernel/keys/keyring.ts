/**
 * The server's own keys, unwrapped and ready for use.
 *
 * A new signing key is published in the key set before it signs, while its predecessor signs for a little longer
 * (`rotation.ts`). Every process and every host backend therefore knows it in time. The oldest key that is not retired
 * yet is the one in use. Peppers are rotated in the same way.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { product } from '@latchkey/protocol'
import { randomId } from '../ids.ts'
import { keyLimits } from '../limits.ts'
import { type Clock, type Db, type Kms, nowSeconds } from '../ports.ts'
import { firstPepper, UnknownPepper } from './pepper-names.ts'
import { insertKeyOnce, liveKeys, type ServerKeyRow } from './store.ts'
import { newTypedKeyId } from './untyped-tokens.ts'

export type SigningKey = {
  id: string
  /** P-256, for `jose` with `alg: 'ES256'` and `kid: id`. */
  privateKey: KeyObject
}

export type SealingKey = {
  id: string
  /** Uncompressed P-256 point, base64url. */
  publicKey: string
  /** WebCrypto ECDH P-256 pair, for HPKE. */
  keyPair: CryptoKeyPair
}

export type PublicJwk = {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

export type Keyring = {
  /** Returns the key that signs new tokens. */
  signingKey(): SigningKey
  /** Returns a key that verifies tokens: the one in use, or a retired one until its tokens expire. */
  verificationKey(id: string): Promise<KeyObject | undefined>
  /** Returns the key that browsers seal new shares to. */
  sealingKey(): SealingKey
  sealingKeyById(id: string): Promise<SealingKey | undefined>
  /** Returns the id of the pepper for new values. Values contain the id of their pepper (`pepper-names.ts`). */
  pepperInUse(): string
  /** Derives 32 secret bytes for a purpose. Throws if this process does not know the pepper. */
  pepper(purpose: string, id: string): Uint8Array
  /** Returns the ids of all loaded peppers, for the list of running servers. */
  pepperIds(): readonly string[]
  /** Loads the keys again if the pepper is unknown. Returns whether it is known now. */
  loadPepper(id: string): Promise<boolean>
  publicJwks(): Promise<{ keys: readonly PublicJwk[] }>
  /** Returns when the keys in use were created, in epoch seconds. */
  createdAt(): { readonly [purpose in ServerKeyRow['purpose']]: number }
  /** Loads keys that other processes rotated. */
  refresh(): Promise<void>
}

type Sources = { db: Db; kms: Kms; clock: Clock }

type Lifetime = {
  createdAt: number
  retiredAt: number | null
  expiresAt: number | null
}
type LoadedSigning = Lifetime & SigningKey & { publicKey: KeyObject; jwk: PublicJwk }
type LoadedSealing = Lifetime & SealingKey
type LoadedPepper = Lifetime & { id: string; secret: Uint8Array }
type Loaded = {
  signing: readonly LoadedSigning[]
  sealing: readonly LoadedSealing[]
  peppers: readonly LoadedPepper[]
  atMs: number
}

const PEPPER_BYTES = 32

export async function openKeyring(sources: Sources): Promise<Keyring> {
  const { clock } = sources
  let loaded = await load(sources, await readOrCreateKeys(sources))
  let loading: Promise<void> | undefined
  /** Derived peppers, by pepper id and purpose. */
  const derived = new Map<string, Uint8Array>()

  const refresh = () => {
    loading ??= readOrCreateKeys(sources)
      .then((rows) => load(sources, rows))
      .then((next) => {
        loaded = next
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  const refreshIfOld = async () => {
    if (clock.nowMs() - loaded.atMs >= keyLimits.refreshAtMostEveryMs) await refresh()
  }

  const isLive = (key: Lifetime) => key.expiresAt === null || key.expiresAt > nowSeconds(clock)
  const isUsed = (key: Lifetime) =>
    isLive(key) && (key.retiredAt === null || key.retiredAt > nowSeconds(clock))
  function selectInUse<Key extends Lifetime>(keys: readonly Key[]): Key {
    const used = keys.filter(isUsed)
    // A key with a planned retirement remains in use until then.
    const key = used.find((one) => one.retiredAt !== null) ?? used[0]
    if (!key) throw new Error('The server has no key for this purpose. Run: latchkey keys rotate')
    return key
  }
  async function liveKey<Key extends Lifetime & { id: string }>(
    id: string,
    keys: () => readonly Key[],
  ): Promise<Key | undefined> {
    const find = () => keys().find((key) => key.id === id)
    if (!find()) await refreshIfOld()
    const key = find()
    return key && isLive(key) ? key : undefined
  }

  return {
    refresh,
    signingKey: () => selectInUse(loaded.signing),
    verificationKey: async (id) => (await liveKey(id, () => loaded.signing))?.publicKey,
    sealingKey: () => selectInUse(loaded.sealing),
    sealingKeyById: (id) => liveKey(id, () => loaded.sealing),
    pepperInUse: () => selectInUse(loaded.peppers).id,
    pepper(purpose, id) {
      const name = `${id}.${purpose}`
      const cachedPepper = derived.get(name)
      if (cachedPepper) return cachedPepper
      const pepper = loaded.peppers.find((one) => one.id === id)
      if (!pepper) throw new UnknownPepper(id)
      const info = `${product.key}/pepper/1/${purpose}`
      const derivedPepper = new Uint8Array(
        hkdfSync('sha256', pepper.secret, Buffer.alloc(0), info, PEPPER_BYTES),
      )
      derived.set(name, derivedPepper)
      return derivedPepper
    },
    pepperIds: () => loaded.peppers.map(({ id }) => id),
    loadPepper: async (id) => (await liveKey(id, () => loaded.peppers)) !== undefined,
    createdAt: () => ({
      signing: selectInUse(loaded.signing).createdAt,
      sealing: selectInUse(loaded.sealing).createdAt,
      pepper: selectInUse(loaded.peppers).createdAt,
    }),
    async publicJwks() {
      await refreshIfOld()
      return { keys: loaded.signing.filter(isLive).map((key) => key.jwk) }
    },
  }
}

/** Creates the first keys of a new database. If two processes do so in parallel, both keys become known to both. */
async function readOrCreateKeys(sources: Sources): Promise<ServerKeyRow[]> {
  const { db, clock } = sources
  const rows = await liveKeys(db, nowSeconds(clock))
  const missing = (['signing', 'sealing', 'pepper'] as const).filter(
    (purpose) => !rows.some((row) => row.purpose === purpose && row.retired_at === null),
  )
  if (missing.length === 0) return rows
  // With two first peppers, one would get lost with the values derived from it. A fixed id prevents that.
  for (const purpose of missing) {
    const key = await newServerKey(purpose, sources, purpose === 'pepper' ? firstPepper : undefined)
    await insertKeyOnce(db, key)
  }
  return liveKeys(db, nowSeconds(clock))
}

export async function newServerKey(
  purpose: ServerKeyRow['purpose'],
  { kms, clock }: Pick<Sources, 'kms' | 'clock'>,
  id = purpose === 'signing' ? newTypedKeyId() : randomId(),
): Promise<ServerKeyRow> {
  const { secret, publicKey } = purpose === 'pepper' ? newPepper() : newKeyPair()
  try {
    return {
      id,
      purpose,
      public_key: publicKey,
      wrapped: await kms.wrap('server-key', secret, keyContext(id, purpose)),
      created_at: nowSeconds(clock),
      retired_at: null,
      expires_at: null,
    }
  } finally {
    secret.fill(0)
  }
}

const newPepper = () => ({ secret: randomBytes(PEPPER_BYTES), publicKey: null })

function newKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { secret: privateKey.export({ format: 'der', type: 'pkcs8' }), publicKey: rawPoint(publicKey) }
}

const keyContext = (id: string, purpose: string) => Buffer.from(`${purpose}/${id}`)

function getCoordinates(publicKey: KeyObject): { x: string; y: string } {
  const { x, y } = publicKey.export({ format: 'jwk' })
  if (!x || !y) throw new Error('Not an elliptic curve key')
  return { x, y }
}

function rawPoint(publicKey: KeyObject): string {
  const { x, y } = getCoordinates(publicKey)
  const uncompressed = Buffer.from([4])
  return Buffer.concat([uncompressed, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
}

async function load(sources: Sources, rows: readonly ServerKeyRow[]): Promise<Loaded> {
  const signing: LoadedSigning[] = []
  const sealing: LoadedSealing[] = []
  const peppers: LoadedPepper[] = []
  for (const row of rows) {
    const secret = await sources.kms.unwrap('server-key', row.wrapped, keyContext(row.id, row.purpose))
    switch (row.purpose) {
      case 'signing':
        signing.push(signingKeyFrom(row, secret))
        break
      case 'sealing':
        sealing.push(await sealingKeyFrom(row, secret))
        break
      case 'pepper':
        peppers.push({ id: row.id, secret, ...toLifetime(row) })
        break
      default:
        row.purpose satisfies never
    }
    if (row.purpose !== 'pepper') secret.fill(0)
  }
  return { signing, sealing, peppers, atMs: sources.clock.nowMs() }
}

const toLifetime = (row: ServerKeyRow): Lifetime => ({
  createdAt: row.created_at,
  retiredAt: row.retired_at,
  expiresAt: row.expires_at,
})
const privateKeyFrom = (pkcs8: Uint8Array) =>
  createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })

function signingKeyFrom(row: ServerKeyRow, pkcs8: Uint8Array): LoadedSigning {
  const privateKey = privateKeyFrom(pkcs8)
  const publicKey = createPublicKey(privateKey)
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    ...getCoordinates(publicKey),
    kid: row.id,
    alg: 'ES256',
    use: 'sig',
  } as const
  return { id: row.id, privateKey, publicKey, jwk, ...toLifetime(row) }
}

async function sealingKeyFrom(row: ServerKeyRow, pkcs8: Uint8Array): Promise<LoadedSealing> {
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const publicKey = rawPoint(createPublicKey(privateKeyFrom(pkcs8)))
  const { subtle } = globalThis.crypto
  const keyPair = {
    privateKey: await subtle.importKey('pkcs8', Uint8Array.from(pkcs8), curve, false, ['deriveBits']),
    publicKey: await subtle.importKey('raw', Buffer.from(publicKey, 'base64url'), curve, true, []),
  }
  return { id: row.id, publicKey, keyPair, ...toLifetime(row) }
}
