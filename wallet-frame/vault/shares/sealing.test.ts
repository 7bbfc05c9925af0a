import { LatchkeyError } from '@latchkey/protocol'
import type { ShareContext } from '@latchkey/protocol/wallet'
import { p256 } from '@noble/curves/nist.js'
import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sealingServer, sealToVault } from '../../testing/server/sealing-server.ts'
import { generateVaultKey, sealToServer } from './sealing.ts'

const context: ShareContext = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  role: 'auth',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const step = { id: 'operation_1', step: 2 }
const released = { operation: step, purpose: 'recover', digest: null }
const share = new Uint8Array([1, 2, 3])
const code = (error: unknown) => (error instanceof LatchkeyError ? error.code : 'no code')
const vault = await generateVaultKey()
const server = await sealingServer()

const otherContexts = fc.constantFrom<Partial<ShareContext>>(
  { appId: 'b'.repeat(25) },
  { userId: 'user_2' },
  { walletId: 'wallet_2' },
  { kind: 'imported-key' },
  { chain: 'solana' },
  { generation: 2 },
  { role: 'recovery' },
  { role: 'device' },
  { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  { address: context.address.toLowerCase() },
  { address: context.address.toUpperCase() },
)

describe('a share sealed to the vault', () => {
  it('opens in that vault', async () => {
    expect(
      await vault.open(await sealToVault(vault.publicKey, share, context, step), context, released),
    ).toEqual(share)
  })

  it('does not open in another vault', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step)
    await expect((await generateVaultKey()).open(sealed, context, released)).rejects.toMatchObject({
      code: 'envelope_refused',
      details: { reason: 'not_authentic' },
      cause: expect.any(Error),
    })
  })

  it('does not open with another app, user, wallet, kind, chain, generation, role or address, including its case', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step)
    await fc.assert(
      fc.asyncProperty(otherContexts, async (other) => {
        expect(await vault.open(sealed, { ...context, ...other }, released).catch(code)).toBe(
          'envelope_refused',
        )
      }),
    )
  })

  it('does not open for another step, operation, purpose or digest', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step)
    for (const other of [
      { ...released, operation: { ...step, step: 1 } },
      { ...released, operation: { ...step, step: 3 } },
      { ...released, operation: { ...step, id: 'operation_2' } },
      { ...released, purpose: 'sign' },
      { ...released, digest: `0x${'d1'.repeat(32)}` },
    ]) {
      expect(await vault.open(sealed, context, other).catch(code)).toBe('envelope_refused')
    }
  })

  it('does not open after a bit of it changed or after it was cut', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('enc', 'ct'),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        async (field, at, change) => {
          const bytes = base64urlnopad.decode(sealed[field])
          const index = at % bytes.length
          bytes[index] = (bytes[index] ?? 0) ^ change
          const changed = base64urlnopad.encode(change === 0 ? bytes.slice(0, index) : bytes)
          expect(await vault.open({ ...sealed, [field]: changed }, context, released).catch(code)).toBe(
            'envelope_refused',
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('does not open if it was sealed for the other direction', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step, null, 'recover', 'toServer')
    await expect(vault.open(sealed, context, released)).rejects.toMatchObject({ code: 'envelope_refused' })
  })

  it('has one canonical spelling', async () => {
    const sealed = await sealToVault(vault.publicKey, share, context, step)
    await expect(vault.open({ ...sealed, ct: `${sealed.ct}=` }, context, released)).rejects.toMatchObject({
      code: 'envelope_refused',
    })
  })
})

describe('a share sealed to the server', () => {
  it('opens at the server, bound to its context and direction', async () => {
    const sealed = await sealToServer(server.key, share, context)
    expect(await server.open(sealed, context)).toEqual(share)
    await expect(server.open(sealed, { ...context, role: 'recovery' })).rejects.toThrow()
    await expect(server.open(sealed, context, 'toVault')).rejects.toThrow()
  })

  it('differs each time, so that equal shares do not look equal', async () => {
    const sealed = await Promise.all(
      Array.from({ length: 10 }, () => sealToServer(server.key, share, context)),
    )
    expect(new Set(sealed.map(({ ct }) => ct)).size).toBe(10)
  })

  it.each([
    ['a point that is not on the curve', base64urlnopad.encode(new Uint8Array(65).fill(4))],
    ['a compressed point', base64urlnopad.encode(p256.getPublicKey(new Uint8Array(32).fill(1), true))],
    ['no base64url', '!'.repeat(87)],
  ])('is refused for %s', async (_name, publicKey) => {
    await expect(sealToServer({ id: 'k', publicKey }, share, context)).rejects.toMatchObject({
      code: 'invalid_request_arguments',
      cause: expect.any(Error),
    })
  })
})

describe("the vault's key pair", () => {
  it('has an uncompressed public point, new in each vault', async () => {
    const points = await Promise.all(
      [vault, await generateVaultKey()].map(({ publicKey }) => base64urlnopad.decode(publicKey)),
    )
    expect(points.map((point) => [point?.length, point?.[0]])).toEqual([
      [65, 4],
      [65, 4],
    ])
    expect(points[0]).not.toEqual(points[1])
  })

  it('has a private key that cannot be exported', async () => {
    const generate = vi.spyOn(crypto.subtle, 'generateKey')
    await generateVaultKey()
    const [pair] = await Promise.all(
      generate.mock.results.map(({ value }) => value as Promise<CryptoKeyPair>),
    )
    generate.mockRestore()
    expect(pair?.privateKey.extractable).toBe(false)
  })

  it('exposes only its public key', () => {
    expect(Object.keys(vault).sort()).toEqual([
      'open',
      'openImported',
      'openKeyText',
      'openPasskey',
      'openPassword',
      'publicKey',
    ])
  })
})
