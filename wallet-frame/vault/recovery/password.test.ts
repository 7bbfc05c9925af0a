/** Compared with the Argon2id and HKDF of Node, so that today's envelopes open with later releases. */
import { argon2Sync, createHash, hkdfSync } from 'node:crypto'
import type { ShareContext } from '@latchkey/protocol/wallet'
import { expect, it, vi } from 'vitest'
import { createPasswordParams, derivePasswordKeys } from './password.ts'

const context: ShareContext = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 3,
  role: 'recovery',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
/** Far cheaper than the minimum that the vault accepts. */
const params = { salt: 'AAECAwQFBgcICQoLDA0ODw', memoryKib: 64, iterations: 3, parallelism: 2 }
const password = 'correct-horse-battery'
const keysOf = (change: { text?: string; about?: Partial<ShareContext>; costs?: Partial<typeof params> }) =>
  derivePasswordKeys(
    new TextEncoder().encode(change.text ?? password),
    { ...params, ...change.costs },
    { ...context, ...change.about },
  )

const stretchedByNode = () =>
  argon2Sync('argon2id', {
    message: password,
    nonce: createHash('sha256')
      .update(`24:latchkey/recovery-salt/125:${'a'.repeat(25)}6:user_18:wallet_122:AAECAwQFBgcICQoLDA0ODw`)
      .digest(),
    memory: 64,
    passes: 3,
    parallelism: 2,
    tagLength: 32,
  })
const about = `1:125:${'a'.repeat(25)}6:user_18:wallet_17:entropy8:ethereum1:38:recovery42:${context.address}`
const keyByNode = (info: string) => Buffer.from(hkdfSync('sha256', stretchedByNode(), '', info, 32))

it('derives the two keys of another implementation of Argon2id and HKDF', async () => {
  const { access, encryption } = await keysOf({})
  expect(Buffer.from(access)).toEqual(keyByNode(`26:latchkey/recovery-access/1${about.length}:${about}`))
  const bytes = keyByNode(`30:latchkey/recovery-encryption/1${about.length}:${about}`)
  const same = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt'])
  const aes = { name: 'AES-GCM', iv: new Uint8Array(12) }
  const sealed = await crypto.subtle.encrypt(aes, encryption, new Uint8Array([1, 2, 3]))
  expect(new Uint8Array(await crypto.subtle.decrypt(aes, same, sealed))).toEqual(new Uint8Array([1, 2, 3]))
  expect(await crypto.subtle.decrypt(aes, encryption, sealed)).toBeTruthy()
})

it('derives a non-extractable 256-bit AES key, and two different keys', async () => {
  const { access, encryption } = await keysOf({})
  expect(encryption).toMatchObject({
    type: 'secret',
    extractable: false,
    algorithm: { name: 'AES-GCM', length: 256 },
    usages: ['encrypt', 'decrypt'],
  })
  expect(access).toHaveLength(32)
  expect(Buffer.from(access)).not.toEqual(
    keyByNode(`30:latchkey/recovery-encryption/1${about.length}:${about}`),
  )
})

it.each<[string, Parameters<typeof keysOf>[0]]>([
  ['another password', { text: 'correct-horse-Battery' }],
  ['another app', { about: { appId: 'b'.repeat(25) } }],
  ['another user', { about: { userId: 'user_2' } }],
  ['another wallet', { about: { walletId: 'wallet_2' } }],
  ['another generation', { about: { generation: 4 } }],
  ['another salt', { costs: { salt: 'BAECAwQFBgcICQoLDA0ODw' } }],
  ['more memory', { costs: { memoryKib: 65 + 15 } }],
  ['more turns', { costs: { iterations: 4 } }],
  ['more lanes', { costs: { parallelism: 3 } }],
])('derives other keys for %s', async (_name, change) => {
  const [first, other] = [await keysOf({}), await keysOf(change)]
  expect(other.access).not.toEqual(first.access)
  const aes = { name: 'AES-GCM', iv: new Uint8Array(12) }
  const sealed = await crypto.subtle.encrypt(aes, first.encryption, new Uint8Array([1]))
  await expect(crypto.subtle.decrypt(aes, other.encryption, sealed)).rejects.toThrow()
})

it('wipes the stretched password after deriving the keys', async () => {
  const imported = vi.spyOn(crypto.subtle, 'importKey')
  await keysOf({})
  const [[, stretched] = []] = imported.mock.calls
  imported.mockRestore()
  expect(stretched).toEqual(new Uint8Array(32))
})

it('creates parameters of 64 MiB and three iterations, with a unique salt of 16 bytes', () => {
  const made = Array.from({ length: 5 }, createPasswordParams)
  for (const one of made) {
    expect(one).toEqual({
      salt: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      memoryKib: 65_536,
      iterations: 3,
      parallelism: 1,
    })
  }
  expect(new Set(made.map(({ salt }) => salt)).size).toBe(5)
})
