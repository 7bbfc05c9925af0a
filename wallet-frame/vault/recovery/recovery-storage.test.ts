/**
 * The stored recovery share of each method: it opens again with the user's input, and its secrets are wiped.
 */
import type { SealedShare, ShareContext, StoredRecoveryShare } from '@latchkey/protocol/wallet'
import { describe, expect, it, vi } from 'vitest'
import { sealingServer } from '../../testing/server/sealing-server.ts'
import { deriveEvmAddress } from '../keys/derivation.ts'
import { openEnvelope, parseEnvelopeText } from '../shares/envelope.ts'
import { splitSecret } from '../shares/shamir.ts'
import { decodeShare } from '../shares/share.ts'
import { unlock } from '../wallet.ts'
import { derivePasskeyKey } from './passkey.ts'
import { derivePasswordKeys } from './password.ts'
import { readFileKey } from './recovery-file.ts'
import {
  type StoreRecovery,
  storeOnServer,
  storeUnderFile,
  storeUnderPasskey,
  storeUnderPassword,
} from './recovery-storage.ts'

const entropy = new Uint8Array(16).fill(9)
const wallet: Omit<ShareContext, 'role'> = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  address: await deriveEvmAddress(entropy),
}
const context: ShareContext = { ...wallet, role: 'recovery' }
const server = await sealingServer()
const { recovery: share } = await splitSecret(entropy, wallet)
const password = () => new TextEncoder().encode('correct-horse-battery')
const given = () => Uint8Array.from({ length: 32 }, (_, at) => at + 1)

const store = async <Stored extends StoredRecoveryShare>(by: StoreRecovery<Stored>) =>
  by(share, wallet, server.key)
const envelopeOf = async (sealed: SealedShare) =>
  parseEnvelopeText(new TextDecoder().decode(await server.open(sealed, context)))
const opensWith = async (key: CryptoKey, envelope: unknown) =>
  decodeShare(await openEnvelope(key, envelope, context), context)

describe('a recovery share', () => {
  it('for the server is sealed to it as the recovery share of its wallet', async () => {
    const stored = await store(storeOnServer)
    if (stored.method !== 'latchkey') throw new Error('It is kept in another way')
    expect(decodeShare(await server.open(stored.share, context), context)).toEqual(share)
    await expect(server.open(stored.share, { ...context, role: 'auth' })).rejects.toThrow()
  })

  it('under a password opens with the stored key, and the access key is sealed to the server', async () => {
    const keys: CryptoKey[] = []
    const typed = password()
    const stored = await store(
      storeUnderPassword(
        async () => typed,
        (key) => keys.push(key),
      ),
    )
    if (stored.method !== 'user-passcode') throw new Error('It is kept in another way')
    const envelope = JSON.parse(stored.envelope)
    expect(envelope).toMatchObject({ v: 1, kdf: 'argon2id', gen: 1, params: { memoryKib: 65_536 } })
    for (const key of keys) expect(await opensWith(key, envelope)).toEqual(share)
    expect(keys).toHaveLength(1)
    expect(typed).toEqual(new Uint8Array(typed.length))
    const { access } = await derivePasswordKeys(password(), envelope.params, context)
    expect(await server.open(stored.access, context, 'accessToServer')).toEqual(access)
    await expect(server.open(stored.access, context)).rejects.toThrow()
  })

  it.each(['google-drive', 'icloud'] as const)(
    'with a file in %s opens with the key of that file',
    async (method) => {
      const files: string[] = []
      const stored = await store(storeUnderFile(method, (text) => files.push(text)))
      if (stored.method !== method) throw new Error('It is kept in another way')
      const [file = ''] = files
      expect(files).toHaveLength(1)
      const envelope = await envelopeOf(stored.envelope)
      expect(envelope).toMatchObject({ v: 1, kdf: 'none', gen: 1, params: {} })
      expect(await opensWith(await readFileKey(file, wallet), envelope)).toEqual(share)
      expect(JSON.stringify(stored)).not.toContain(JSON.parse(file).key)
    },
  )

  it('under a passkey opens with the same PRF output, and names its credential', async () => {
    const keys: CryptoKey[] = []
    const once = given()
    const stored = await store(
      storeUnderPasskey(
        async () => once,
        'cGFzc2tleQ',
        (key) => keys.push(key),
      ),
    )
    if (stored.method !== 'passkey') throw new Error('It is kept in another way')
    expect(stored.credentialId).toBe('cGFzc2tleQ')
    const envelope = await envelopeOf(stored.envelope)
    expect(envelope).toMatchObject({ v: 1, kdf: 'webauthn-prf', gen: 1, params: {} })
    const again = await derivePasskeyKey(Promise.resolve(given()), context)
    for (const key of [...keys, again]) expect(await opensWith(key, envelope)).toEqual(share)
    expect(keys).toHaveLength(1)
    expect(once).toEqual(new Uint8Array(32))
  })
})

describe('a recovery share whose envelope does not open again', () => {
  const files: string[] = []
  it.each<[string, StoreRecovery]>([
    [
      'a password',
      storeUnderPassword(
        async () => password(),
        () => {},
      ),
    ],
    ['a file', storeUnderFile('icloud', (text) => files.push(text))],
    [
      'a passkey',
      storeUnderPasskey(
        async () => given(),
        'cGFzc2tleQ',
        () => {},
      ),
    ],
  ])('is not stored under %s', async (_name, by) => {
    const { encrypt } = crypto.subtle
    const broken = vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...asked) => {
      const bytes = new Uint8Array(await encrypt.apply(crypto.subtle, asked))
      bytes[0] = (bytes[0] ?? 0) ^ 1
      return bytes.buffer
    })
    const stored = store(by)
    await expect(stored).rejects.toMatchObject({ code: 'envelope_refused' })
    broken.mockRestore()
    expect(files).toEqual([])
  })
})

describe('the access key of a password', () => {
  const ended = () => {
    throw new Error('The operation was ended')
  }
  const params = { salt: 'AAECAwQFBgcICQoLDA0ODw', memoryKib: 64, iterations: 3, parallelism: 1 }
  const operation = { id: 'operation_1', step: 1 }
  const sealed: SealedShare = { v: 1, enc: '', ct: '' }

  it.each<[string, (onKey: () => void) => Promise<unknown>]>([
    [
      'unlocked',
      (onKey) =>
        unlock(
          { wallet, operation, password: sealed, params, serverKey: server.key },
          Promise.resolve(password()),
          onKey,
        ),
    ],
    ['kept', (onKey) => store(storeUnderPassword(async () => password(), onKey))],
  ])('is zeroed, even if the operation ended before a wallet was %s', async (_name, use) => {
    const derived = vi.spyOn(crypto.subtle, 'deriveBits')
    await expect(use(ended)).rejects.toThrow('The operation was ended')
    const bits = await Promise.all(derived.mock.results.map(({ value }) => value))
    derived.mockRestore()
    expect(bits.map((one) => new Uint8Array(one))).toEqual([new Uint8Array(32)])
  })
})
