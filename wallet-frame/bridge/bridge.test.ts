import { LatchkeyError, walletErrorTypes } from '@latchkey/protocol'
import { createReceiver } from '@latchkey/protocol/channel'
import { isRateLimit, walletContract } from '@latchkey/protocol/wallet'
import { verifyMessage } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { walletServer } from '../testing/wallet-server.ts'

const code = (expected: string) => expect.objectContaining({ code: expected })

async function setUp() {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  return { server, disk, frame: openFrame({ server, disk }) }
}
type Frame = ReturnType<typeof openFrame>
const create = async ({ bridge, accessToken }: Frame) =>
  bridge['wallet:create']({ accessToken: await accessToken() })
const connect = async ({ bridge, accessToken }: Frame, address: string) =>
  bridge['wallet:connect']({ accessToken: await accessToken(), address })
const recover = async ({ bridge, accessToken }: Frame, address: string) =>
  bridge['wallet:recover']({ accessToken: await accessToken(), address })
const sign = async ({ bridge, accessToken }: Frame, address: string, message = 'hello') =>
  bridge['wallet:rpc']({
    accessToken: await accessToken(),
    address,
    request: { method: 'personal_sign', params: [message, address] },
  })

describe('latchkey:iframe:ready', () => {
  // spec W7.23
  it('is answered', async () => {
    const { frame } = await setUp()
    expect(await frame.bridge['iframe:ready']({})).toEqual({})
  })
})

describe('latchkey:wallet:create', () => {
  // spec W7.24
  it('makes a wallet that the server has and this device can sign with', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    expect(server.walletOf('user_1')?.address).toBe(address)
    const { response } = await sign(frame, address)
    expect(
      await verifyMessage({
        address: address as `0x${string}`,
        message: 'hello',
        signature: response.data as `0x${string}`,
      }),
    ).toBe(true)
  })

  // spec W7.22
  it('is done once when it is asked for twice at once', async () => {
    const { frame, server } = await setUp()
    const accessToken = await frame.accessToken()
    const [first, second] = await Promise.all([
      frame.bridge['wallet:create']({ accessToken, recoveryMethod: 'latchkey' }),
      frame.bridge['wallet:create']({ recoveryMethod: 'latchkey', accessToken }),
    ])
    expect(second).toEqual(first)
    expect(server.asked.filter(({ path }) => path === '/wallets/begin')).toHaveLength(1)
  })

  it('is done again after it failed', async () => {
    const { frame, server } = await setUp()
    server.intercept(() => Response.json({ error: 'no', code: 'internal_error' }, { status: 400 }))
    await expect(create(frame)).rejects.toEqual(code('error'))
    server.intercept(() => undefined)
    expect((await create(frame)).address).toMatch(/^0x/)
  })

  // spec W3.1
  it('gives the wallet that there is to whoever asks again, on any device', async () => {
    const { frame, server, disk } = await setUp()
    const { address } = await create(frame)
    expect(await create(frame)).toEqual({ address })
    expect(await create(openFrame({ server, disk }))).toEqual({ address })
    const elsewhere = openFrame({ server, disk: emptyDisk() })
    expect(await create(elsewhere)).toEqual({ address })
    expect((await sign(elsewhere, address)).response).toEqual((await sign(frame, address)).response)
  })

  it.each([
    ['on one device', true],
    ['on two devices', false],
  ])('by tabs that race %s ends with one wallet, which all can sign with', async (_name, shared) => {
    const { server, disk } = await setUp()
    const frames = Array.from({ length: 4 }, () => openFrame({ server, disk: shared ? disk : emptyDisk() }))
    const made = await Promise.all(frames.map(create))
    const address = server.walletOf('user_1')?.address ?? ''
    expect(made).toEqual(frames.map(() => ({ address })))
    const signed = await Promise.all(frames.map((frame) => sign(frame, address)))
    expect(new Set(signed.map(({ response }) => response.data)).size).toBe(1)
    if (shared) expect([...disk.records.keys()]).toEqual(['ethereum:committed'])
  })

  it('keeps the wallet when the answer to the commit was lost: the retry gets the same answer', async () => {
    const { frame, server } = await setUp()
    let lost = 0
    server.intercept((path) => (path === '/wallets/commit' && lost++ === 0 ? 'drop the answer' : undefined))
    const { address } = await create(frame)
    const commits = server.asked.filter(({ path }) => path === '/wallets/commit')
    expect(commits.map(({ headers }) => headers.get('latchkey-request-id'))).toEqual([
      expect.any(String),
      commits[0]?.headers.get('latchkey-request-id'),
    ])
    expect((await sign(frame, address)).address).toBe(address)
  })

  it('is refused by another recovery method than the automatic one', async () => {
    const { frame, server } = await setUp()
    const accessToken = await frame.accessToken()
    for (const recoveryMethod of ['user-passcode', 'google-drive', 'icloud'] as const) {
      const attempt = frame.bridge['wallet:create']({ accessToken, recoveryMethod, recoveryPassword: 'x' })
      await expect(attempt).rejects.toEqual(code('disallowed_recovery_method'))
      const recovery = frame.bridge['wallet:recover']({
        accessToken,
        recoveryMethod,
        address: `0x${'0'.repeat(40)}`,
      })
      await expect(recovery).rejects.toEqual(code('disallowed_recovery_method'))
    }
    expect(server.asked).toEqual([])
  })
})

describe('latchkey:wallet:connect', () => {
  // spec W7.26
  it('answers the address, or wallet_not_on_device on a new device', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    expect(await connect(frame, address)).toEqual({ address })
    const elsewhere = openFrame({ server, disk: emptyDisk() })
    await expect(connect(elsewhere, address)).rejects.toEqual(code('wallet_not_on_device'))
  })

  it('refuses another address than the one that the server pins', async () => {
    const { frame } = await setUp()
    await create(frame)
    await expect(connect(frame, `0x${'1'.repeat(40)}`)).rejects.toEqual(code('share_mismatch'))
  })

  it('reads and changes nothing', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    const before = server.asked.length
    await connect(frame, address)
    expect(server.asked.slice(before).map(({ path }) => path)).toEqual(['/wallets'])
  })
})

describe('latchkey:wallet:recover', () => {
  // spec W7.27
  it('brings the wallet to a new device', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    const elsewhere = openFrame({ server, disk: emptyDisk() })
    expect(await recover(elsewhere, address)).toEqual({ address })
    expect(await connect(elsewhere, address)).toEqual({ address })
  })

  it('refuses another address than the one that the server pins', async () => {
    const { frame } = await setUp()
    await create(frame)
    await expect(recover(frame, `0x${'1'.repeat(40)}`)).rejects.toEqual(code('share_mismatch'))
  })
})

describe('latchkey:wallet:rpc', () => {
  // spec W7.28
  it('fetches the auth share for each request anew', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    const before = server.asked.length
    await sign(frame, address)
    await sign(frame, address)
    expect(server.asked.slice(before).map(({ body }) => body)).toEqual([
      { address, purpose: 'sign' },
      { address, purpose: 'sign' },
    ])
  })

  it('answers not_supported for what is no capability yet, and asks the server for nothing', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    const before = server.asked.length
    for (const method of ['eth_sign', 'eth_signTypedData_v4', 'eth_signTransaction'] as const) {
      const accessToken = await frame.accessToken()
      const request = frame.bridge['wallet:rpc']({ accessToken, address, request: { method, params: [] } })
      await expect(request).rejects.toEqual(code('not_supported'))
    }
    expect(server.asked).toHaveLength(before)
  })

  it.each<[string, unknown[]]>([
    ['none', []],
    ['an empty message', ['', `0x${'1'.repeat(40)}`]],
    ['a message that is no text', [1, `0x${'1'.repeat(40)}`]],
    ['no address', ['hello']],
    ['one too many', ['hello', `0x${'1'.repeat(40)}`, 'x']],
  ])('refuses parameters that are %s', async (_name, params) => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    const accessToken = await frame.accessToken()
    const request = frame.bridge['wallet:rpc']({
      accessToken,
      address,
      request: { method: 'personal_sign', params },
    })
    await expect(request).rejects.toEqual(code('invalid_request_arguments'))
  })

  it('does not sign for another app, which its user was not asked about', async () => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    const accessToken = await frame.accessToken()
    const request = { method: 'personal_sign' as const, params: ['hello', address] }
    const rpc = (requesterAppId: string) =>
      frame.bridge['wallet:rpc']({ accessToken, address, request, requesterAppId })
    await expect(rpc('b'.repeat(25))).rejects.toEqual(code('not_supported'))
    expect((await rpc(appId)).address).toBe(address)
  })

  it('refuses to sign for another address', async () => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    const accessToken = await frame.accessToken()
    const request = { method: 'personal_sign' as const, params: ['hello', `0x${'1'.repeat(40)}`] }
    await expect(frame.bridge['wallet:rpc']({ accessToken, address, request })).rejects.toEqual(
      code('invalid_request_arguments'),
    )
  })
})

describe('a vault that began anew', () => {
  it('says vault_key_unknown, and the caller who asks for its key again succeeds', async () => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    const staleToken = await frame.accessToken()
    frame.clock.advance(60_000)
    expect(frame.vaultsEnded()).toBe(1)
    const request = { method: 'personal_sign' as const, params: ['hello', address] }
    const signWith = (accessToken: string) => frame.bridge['wallet:rpc']({ accessToken, address, request })
    await expect(signWith(staleToken)).rejects.toEqual(code('vault_key_unknown'))
    await frame.accessToken()
    await expect(signWith(staleToken)).rejects.toEqual(code('vault_key_unknown'))
    expect((await sign(frame, address)).address).toBe(address)
  })

  it('is told from a share that was sealed to nobody we were', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    const stranger = openFrame({ server, disk: emptyDisk() })
    const request = { method: 'personal_sign' as const, params: ['hello', address] }
    await frame.accessToken()
    await expect(
      frame.bridge['wallet:rpc']({ accessToken: await stranger.accessToken(), address, request }),
    ).rejects.toEqual(code('envelope_refused'))
  })

  it('is not ended while it works or was used less than a minute ago', async () => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    frame.clock.advance(59_999)
    await connect(frame, address)
    frame.clock.advance(59_999)
    expect(frame.vaultsEnded()).toBe(0)
    frame.clock.advance(1)
    expect(frame.vaultsEnded()).toBe(1)
  })
})

describe('latchkey:mfa:clear', () => {
  // spec W7.34
  it('ends the vault, so that nothing that was released for the user opens any more', async () => {
    const { frame } = await setUp()
    const { address } = await create(frame)
    const accessToken = await frame.accessToken()
    expect(await frame.bridge['mfa:clear']({ userId: 'user_1' })).toEqual({})
    expect(frame.vaultsEnded()).toBe(1)
    await expect(frame.bridge['wallet:recover']({ accessToken, address })).rejects.toEqual(
      code('vault_key_unknown'),
    )
  })
})

describe('errors', () => {
  // spec W8.1
  it('that cross are of the wallet frame or of the call; others are `error` with their code for developers', async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    for (const type of [...walletErrorTypes, 'internal_error', 'insufficient_scope', 'something_new']) {
      server.intercept(() => Response.json({ error: 'Refused', code: type }, { status: 400 }))
      const error = await sign(frame, address).catch((thrown: unknown) => thrown)
      const listed = walletErrorTypes.some((known) => known === type)
      expect(error).toEqual(code(listed ? type : 'error'))
      expect(error).toBeInstanceOf(LatchkeyError)
    }
  })

  // spec W8.2
  it("of a rate limit say 'code 429'", async () => {
    const { frame, server } = await setUp()
    const { address } = await create(frame)
    server.intercept(() =>
      Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '7' } }),
    )
    const error = await sign(frame, address).catch((thrown: LatchkeyError) => thrown)
    expect(error).toMatchObject({ code: 'too_many_requests', details: { retryAfter: '7' } })
    expect(isRateLimit((error as LatchkeyError).message)).toBe(true)
    expect(frame.waitedMs).toEqual([])
  })

  it('of what the contract does not know are coded answers, not silence', async () => {
    const { frame } = await setUp()
    const receive = createReceiver(walletContract.child, frame.bridge)
    for (const event of ['latchkey:wallet:import', 'latchkey:farcaster:sign', 'latchkey:constructor']) {
      const answer = await receive({ v: 1, id: event, event, data: {} })
      expect(answer.error?.type).toBe('method_not_found')
    }
  })

  // spec W3.15
  it('and answers travel in the envelope of the contract, with the id and event of the request', async () => {
    const { frame } = await setUp()
    const receive = createReceiver(walletContract.child, frame.bridge)
    const event = 'latchkey:wallet:connect'
    const data = { accessToken: 'nobody', address: `0x${'1'.repeat(40)}` }
    expect(await receive({ v: 1, id: '7', event, data })).toEqual({
      id: '7',
      event,
      error: { type: 'error', message: 'Refused', details: { code: 'missing_or_invalid_token' } },
    })
  })
})
