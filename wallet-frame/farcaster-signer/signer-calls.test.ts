/** The Farcaster signer through the bridge, with the real vault and sealing. */
import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { rightCode } from '../testing/server/mfa-server.ts'
import { walletServer } from '../testing/server/wallet-server.ts'

const hash = Buffer.alloc(20, 9).toString('base64url')

async function setUp() {
  const server = await walletServer(appId)
  const frame = openFrame({ server, disk: emptyDisk() })
  const { address } = await frame.create()
  server.asked.length = 0
  const init = async (more = {}) =>
    frame.call('farcaster:init-signer', { ...(await frame.begin('farcaster-signer')), address, ...more })
  const sign = async (more = {}) =>
    frame.call('farcaster:sign', {
      ...(await frame.begin('farcaster-sign')),
      address,
      payload: { hash },
      fid: 42n,
      ...more,
    })
  return { server, frame, address, init, sign }
}
const keyOf = (publicKey: string) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey.slice(2), 'hex').toString('base64url') },
    format: 'jwk',
  })

describe('latchkey:farcaster:init-signer', () => {
  // spec W7.35
  it('returns the key, its state, and its approval data', async () => {
    const { init, server } = await setUp()
    const { publicKey, ...said } = await init()
    expect(publicKey).toMatch(/^0x[0-9a-f]{64}$/)
    expect(said).toEqual({
      status: 'pending_approval',
      signerApprovalUrl: 'farcaster://signer-add?token=request_1',
    })
    expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/farcaster/signer/shares', {}],
      ['/farcaster/signer/init', { ed25519PublicKey: publicKey }],
    ])
    expect((await init()).publicKey).toBe(publicKey)
  })

  it('requires a second factor to create a signer if the user has one', async () => {
    const { init, server } = await setUp()
    server.mfa.enrolled.add('totp')
    await expect(init()).rejects.toMatchObject({ code: 'missing_or_invalid_mfa' })
    expect(await init({ mfaMethod: 'totp', mfaCode: rightCode })).toMatchObject({
      status: 'pending_approval',
    })
  })

  it('refuses a signer of another wallet', async () => {
    const { init } = await setUp()
    await expect(init({ address: `0x${'11'.repeat(20)}` })).rejects.toMatchObject({ code: 'share_mismatch' })
  })
})

describe('latchkey:farcaster:sign', () => {
  // spec W7.36
  it('returns the hash and a signature by the key of init-signer', async () => {
    const { init, sign, server } = await setUp()
    const { publicKey } = await init()
    const { signature, ...said } = await sign()
    expect(said).toEqual({ hash })
    const bytes = Buffer.from(signature, 'base64url')
    expect(verify(null, Buffer.alloc(20, 9), keyOf(publicKey), bytes)).toBe(true)
    expect(server.asked.at(-1)).toMatchObject({
      path: '/farcaster/signer/messages',
      body: { hash, fid: 42 },
    })
  })

  it('requires a second factor to sign if the user has one', async () => {
    const { sign, server } = await setUp()
    server.mfa.enrolled.add('totp')
    await expect(sign()).rejects.toMatchObject({ code: 'missing_or_invalid_mfa' })
    expect(await sign({ mfaMethod: 'totp', mfaCode: rightCode })).toMatchObject({ hash })
  })

  it('passes on the code of a refused release', async () => {
    const { sign, server } = await setUp()
    server.intercept(() => Response.json({ error: 'No', code: 'not_found' }, { status: 404 }))
    await expect(sign()).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([Buffer.alloc(19), Buffer.alloc(32)])('refuses an invalid Farcaster hash: %#', async (bytes) => {
    const { sign, server } = await setUp()
    await expect(sign({ payload: { hash: bytes.toString('base64url') } })).rejects.toMatchObject({
      code: 'invalid_data',
    })
    expect(server.asked).toEqual([])
  })
})
