/** Tests that the secret of an authenticator app is only in memory while it is used, and is then zeroed. */
import { expect, test } from 'vitest'
import type { ServerContext } from '../../../kernel/context.ts'
import { createEmbeddedKms } from '../../../kernel/keys/kms.ts'
import { newMasterKey } from '../../../kernel/keys/master-key.ts'
import { newSecret, withSecret } from './secret.ts'

const owner = { appId: 'app', userId: 'user' }
const isWiped = (bytes: Uint8Array | undefined) => bytes?.every((byte) => byte === 0)

/** A key service that keeps references to its inputs and outputs. */
function watchedKms() {
  const seen: Uint8Array[] = []
  const kms: ServerContext['kms'] = {
    async wrap(_purpose, secret) {
      seen.push(secret)
      return Buffer.from(secret).toString('base64url')
    },
    async unwrap(_purpose, wrapped) {
      const secret = new Uint8Array(Buffer.from(wrapped, 'base64url'))
      seen.push(secret)
      return secret
    },
  }
  return { context: { kms } as ServerContext, seen }
}

test('is bound to its app, user and second factor when it is wrapped', async () => {
  const key = newMasterKey()
  const context = { kms: createEmbeddedKms(() => [key]) } as unknown as ServerContext
  const made = await newSecret(context, owner)
  const open = (of: typeof owner, method: typeof made) =>
    withSecret(context, of, method, ({ length }) => length)
  expect(await open(owner, made)).toBe(20)
  await expect(open({ ...owner, appId: 'another' }, made)).rejects.toThrow()
  await expect(open({ ...owner, userId: 'another' }, made)).rejects.toThrow()
  // The secret of another second factor of the same user.
  await expect(open(owner, { ...made, id: (await newSecret(context, owner)).id })).rejects.toThrow()
})

test('is zeroed after it was wrapped, and after the work with an opened one ended or failed', async () => {
  const { context, seen } = watchedKms()
  const made = await newSecret(context, owner)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toHaveLength(20)
  expect(isWiped(seen[0])).toBe(true)
  const read = await withSecret(context, owner, made, (secret) => {
    expect(isWiped(secret)).toBe(false)
    return Buffer.from(secret).toString('base64url')
  })
  expect(read).toBe(made.secret)
  expect(isWiped(seen[1])).toBe(true)
  await expect(
    withSecret(context, owner, made, () => {
      throw new Error('failed')
    }),
  ).rejects.toThrow('failed')
  expect(isWiped(seen[2])).toBe(true)
})
