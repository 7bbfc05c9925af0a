/** Provider tokens in the browser: encryption, renewal, and the fallback to memory. */
import { webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Api } from '../../../api/client.ts'
import { createProofKeyPair } from '../../../api/proof.ts'
import type { Locks } from '../../../browser/ports.ts'
import { storageUnavailable } from '../../../browser/storage.ts'
import { makeFakeClock } from '../../../testing/clock.ts'
import { makeSettings } from '../../../testing/fixtures.ts'
import { makeFakeLocks, makeFakeStore } from '../../../testing/storage.ts'
import { connection, tokens as given, provider } from '../testing.ts'
import { indexedDbRows, memoryRows, rowsWithFallback } from './token-rows.ts'
import { createTokens } from './tokens.ts'

const whose = { userId: 'user-1', provider }

async function open({
  locks = makeFakeLocks(),
  rows = memoryRows(),
}: {
  locks?: Locks
  rows?: ReturnType<typeof memoryRows>
} = {}) {
  const clock = makeFakeClock()
  const store = makeFakeStore()
  const renewals: unknown[] = []
  const api: Api = {
    call: async (_route, ...[body]) => {
      renewals.push(body)
      const number = renewals.length + 1
      return { ...given, accessToken: `access-${number}`, refreshToken: `refresh-${number}` } as never
    },
  }
  const settings = () => makeSettings()
  const tokens = createTokens({ api, clock, store, settings, rows, locks, nowMs: clock.nowMs })
  await tokens.keep(whose, await createProofKeyPair(), given)
  const access = (refused?: string) =>
    tokens.access('user-1', connection, refused === undefined ? {} : { refused })
  return { clock, store, rows, tokens, renewals, access }
}

test('encrypts both tokens in storage with keys that scripts cannot export', async () => {
  const { rows } = await open()
  const row = Object(await rows.read(`user-1 ${provider}`))
  const text = Buffer.from(row.sealed).toString('latin1')
  expect(text).not.toContain('access-1')
  expect(text).not.toContain('refresh-1')
  expect(row.keys.privateKey.extractable).toBe(false)
  expect(row.seal.extractable).toBe(false)
  expect(row.seal.algorithm).toMatchObject({ name: 'AES-GCM', length: 256 })
  await expect(webcrypto.subtle.exportKey('raw', row.seal)).rejects.toThrow()
})

test('renews an access token 30 seconds before it expires', async () => {
  const { access, clock, renewals } = await open()
  await clock.advance(869_000)
  expect(await access()).toMatchObject({ accessToken: 'access-1' })
  await clock.advance(1_000)
  expect(await access()).toMatchObject({ accessToken: 'access-2' })
  expect(renewals).toEqual([{ provider, refreshToken: 'refresh-1', proof: expect.any(String) }])
})

test('renews a refused token once for two concurrent calls', async () => {
  const { access, renewals } = await open()
  const both = await Promise.all([access('access-1'), access('access-1')])
  expect(both.map(({ accessToken }) => accessToken)).toEqual(['access-2', 'access-2'])
  expect(renewals).toHaveLength(1)
})

test('renews a token in a browser without locks', async () => {
  const { access } = await open({ locks: { hold: () => Promise.reject(storageUnavailable()) } })
  expect(await access('access-1')).toMatchObject({ accessToken: 'access-2' })
})

test('stores a token for one user and one provider only', async () => {
  const { tokens } = await open()
  expect(await tokens.has(whose)).toBe(true)
  expect(await tokens.has({ ...whose, userId: 'user-2' })).toBe(false)
  expect(await tokens.has({ ...whose, provider: `latchkey:${'x'.repeat(25)}` })).toBe(false)
})

// spec L3.5
test('stores one access token per provider', async () => {
  const { tokens, access } = await open()
  const second = { ...connection, providerAppId: 'x'.repeat(25) }
  const ofSecond = { ...whose, provider: `latchkey:${second.providerAppId}` } as const
  await tokens.keep(ofSecond, await createProofKeyPair(), { ...given, accessToken: 'access-of-second' })
  expect(await access()).toMatchObject({ accessToken: 'access-1' })
  expect(await tokens.access('user-1', second, {})).toMatchObject({ accessToken: 'access-of-second' })
})

test('ignores stored rows that are malformed or cannot be decrypted', async () => {
  const { tokens, rows } = await open()
  const row = Object(await rows.read(`user-1 ${provider}`))
  await rows.write(`user-1 ${provider}`, { ...row, sealed: new ArrayBuffer(40) })
  expect(await tokens.has(whose)).toBe(false)
  await rows.write(`user-1 ${provider}`, { accessToken: 'access-1' })
  expect(await tokens.has(whose)).toBe(false)
})

test('keeps tokens in memory if the browser storage misses its deadline', async () => {
  const hung = indexedDbRows('app', () => ({ open: () => ({}) as IDBOpenDBRequest }))
  let waited = 0
  const inTime = async <T>(): Promise<T> => {
    waited += 1
    throw storageUnavailable()
  }
  const { tokens } = await open({ rows: rowsWithFallback(hung, inTime) })
  expect(await tokens.has(whose)).toBe(true)
  expect(waited).toBe(1)
})

test('keeps tokens in memory until they are deleted if the browser blocks storage', async () => {
  const blocked = indexedDbRows('app', () => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  })
  const { tokens, access } = await open({ rows: rowsWithFallback(blocked) })
  expect(await access()).toMatchObject({ accessToken: 'access-1' })
  await tokens.forgetAll()
  expect(await tokens.has(whose)).toBe(false)
  await expect(access()).rejects.toMatchObject({ message: 'Transactions require a valid token' })
})
