import type { ShareContext } from '@latchkey/protocol/wallet'
import { describe, expect, it, vi } from 'vitest'
import { createRecoveryFile, readFileKey } from './recovery-file.ts'

const wallet: Omit<ShareContext, 'role'> = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 3,
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const refusal = (reason: string) => expect.objectContaining({ code: 'error', details: { reason } })
const aes = { name: 'AES-GCM', iv: new Uint8Array(12) }
const { text, key } = await createRecoveryFile(wallet)
const parsed = JSON.parse(text)

describe('a recovery file', () => {
  it('names its wallet and generation, and has a key of 32 bytes', () => {
    expect(parsed).toEqual({
      v: 1,
      app: 'a'.repeat(25),
      wallet: 'wallet_1',
      generation: 3,
      key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
  })

  it('contains the key that was created with it, which is not extractable', async () => {
    const found = await readFileKey(text, wallet)
    const sealed = await crypto.subtle.encrypt(aes, key, new Uint8Array([1, 2, 3]))
    expect(new Uint8Array(await crypto.subtle.decrypt(aes, found, sealed))).toEqual(new Uint8Array([1, 2, 3]))
    expect(new Uint8Array(await crypto.subtle.encrypt(aes, found, new Uint8Array([1, 2, 3])))).toEqual(
      new Uint8Array(sealed),
    )
    for (const one of [key, found]) {
      expect(one).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } })
      expect([...one.usages].sort()).toEqual(['decrypt', 'encrypt'])
    }
  })

  it('has a new key each time', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createRecoveryFile(wallet)))
    expect(new Set(others.map((other) => JSON.parse(other.text).key)).size).toBe(5)
  })

  it.each([
    ['no JSON', 'not at all'],
    ['no file', '{}'],
    ['of another version', JSON.stringify({ ...parsed, v: 2 })],
    ['with a field too many', JSON.stringify({ ...parsed, address: wallet.address })],
    ['of no generation', JSON.stringify({ ...parsed, generation: 0 })],
    ['of half a generation', JSON.stringify({ ...parsed, generation: 1.5 })],
    ['with a shorter key', JSON.stringify({ ...parsed, key: parsed.key.slice(1) })],
    ['with a longer key', JSON.stringify({ ...parsed, key: `${parsed.key}A` })],
    ['with a key that is no base64url', JSON.stringify({ ...parsed, key: '!'.repeat(43) })],
  ])('that is %s is malformed, with the reason in its cause', async (_name, damaged) => {
    await expect(readFileKey(damaged, wallet)).rejects.toMatchObject({
      code: 'error',
      details: { reason: 'file_malformed' },
      cause: expect.any(Error),
    })
    await readFileKey(text, wallet)
  })

  it.each([
    ['app', { appId: 'b'.repeat(25) }],
    ['wallet', { walletId: 'wallet_2' }],
    ['generation', { generation: 4 }],
  ])('of another %s is reported as that', async (_name, other) => {
    await expect(readFileKey(text, { ...wallet, ...other })).rejects.toEqual(
      refusal('file_of_another_wallet'),
    )
  })

  it('leaves no bytes of its key behind, when it is created or read', async () => {
    const imported = vi.spyOn(crypto.subtle, 'importKey')
    await createRecoveryFile(wallet)
    await readFileKey(text, wallet)
    const given = imported.mock.calls.map(([, bytes]) => bytes)
    imported.mockRestore()
    expect(given).toEqual([new Uint8Array(32), new Uint8Array(32)])
  })
})
