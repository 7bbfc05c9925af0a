/** Operations as the dialog sees them: one-time steps, expiring key pairs, and callers that abort. */
import { LatchkeyError } from '@latchkey/protocol'
import type { PendingWallet } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { appId, logIn, openFrame, personalSign, type TestFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { sealingServer } from '../testing/server/sealing-server.ts'
import { walletServer } from '../testing/server/wallet-server.ts'

const code = (expected: string) => expect.objectContaining({ code: expected })
const unknown = code('vault_operation_unknown')
const leaving = () => new LatchkeyError('call_cancelled', 'Taken back')

async function setUp(options: { waits?: boolean } = {}) {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const frame = openFrame({ server, disk, ...options })
  const paths = () => server.asked.map(({ path }) => path)
  return { server, disk, frame, paths }
}
async function withWallet(options: { waits?: boolean } = {}) {
  const scene = await setUp(options)
  const { address } = await scene.frame.create()
  scene.server.asked.length = 0
  return { ...scene, address }
}
const rpc = (
  frame: TestFrame,
  step: Awaited<ReturnType<TestFrame['begin']>>,
  address: string,
  signal?: AbortSignal,
) => frame.call('wallet:rpc', { ...step, address, request: personalSign('hello', address) }, signal)
/** Runs another call, which takes longer than the remaining work of an aborted one. */
const otherCall = (frame: TestFrame, address: string) => frame.connect(address)

describe('an operation', () => {
  it('has its own ID and key', async () => {
    const { frame } = await setUp()
    const [first, second] = [await frame.call('operation:begin', {}), await frame.call('operation:begin', {})]
    expect(first.operationId).not.toBe(second.operationId)
    expect(first.publicKey).not.toBe(second.publicKey)
  })

  it('signs once, and rejects a repeated step without a server call', async () => {
    const { frame, paths, address } = await withWallet()
    const step = await frame.begin('sign')
    expect((await rpc(frame, step, address)).address).toBe(address)
    await expect(rpc(frame, step, address)).rejects.toEqual(unknown)
    expect(paths()).toEqual(['/wallets/shares'])
  })

  it.each(['create', 'connect', 'recover', 'sign'] as const)(
    'rejects %s without a server call if it was never begun or has ended',
    async (purpose) => {
      const { frame, paths, address } = await withWallet()
      const calls = {
        create: (step) => frame.call('wallet:create', step),
        connect: (step) => frame.call('wallet:connect', { ...step, address }),
        recover: (step) => frame.call('wallet:recover', { ...step, address }),
        sign: (step) => rpc(frame, step, address),
      } satisfies Record<string, (step: Awaited<ReturnType<TestFrame['begin']>>) => Promise<unknown>>
      const ended = await frame.begin(purpose)
      await frame.call('operation:end', { operationId: ended.operation.id })
      await expect(calls[purpose](ended)).rejects.toEqual(unknown)
      const never = { ...ended, operation: { id: 'never', step: 1 } }
      await expect(calls[purpose](never)).rejects.toEqual(unknown)
      expect(paths()).toEqual([])
      await calls[purpose](await frame.begin(purpose))
      await expect(calls[purpose](ended)).rejects.toEqual(unknown)
    },
  )

  it('has one kind: an operation for connect cannot sign', async () => {
    const { frame, paths, address } = await withWallet()
    const step = await frame.begin('connect')
    await frame.call('wallet:connect', { ...step, address })
    await expect(rpc(frame, { ...step, operation: { ...step.operation, step: 2 } }, address)).rejects.toEqual(
      unknown,
    )
    expect(paths()).toEqual(['/wallets'])
  })

  it('allows a retry of its step if the server refused it, because nothing was opened', async () => {
    const { frame, server, address } = await withWallet()
    const step = await frame.begin('sign')
    server.intercept(() =>
      Response.json({ error: 'Verify', code: 'missing_or_invalid_mfa' }, { status: 401 }),
    )
    await expect(rpc(frame, step, address)).rejects.toEqual(code('missing_or_invalid_mfa'))
    server.intercept(() => undefined)
    expect((await rpc(frame, step, address)).address).toBe(address)
  })

  it('does not open a share that was released for another operation', async () => {
    const { frame, address } = await withWallet()
    const [mine, other] = [await frame.begin('sign'), await frame.begin('sign')]
    const answer = await rpc(frame, { ...mine, accessToken: other.accessToken }, address).catch(
      (error: unknown) => error,
    )
    expect(answer).toMatchObject({ code: 'error', details: { code: 'envelope_refused' } })
  })

  it('may end twice, and ending it starts no vault', async () => {
    const { frame } = await setUp()
    expect(await frame.call('operation:end', { operationId: 'never' })).toEqual({})
    expect(frame.vault.isRunning()).toBe(false)
    const { operationId } = await frame.call('operation:begin', {})
    for (const _time of [1, 2]) expect(await frame.call('operation:end', { operationId })).toEqual({})
  })
})

describe('the vault', () => {
  it('ends 60 s after its last operation', async () => {
    const { frame } = await withWallet()
    frame.clock.advance(59_999)
    expect(frame.vaultsEnded()).toBe(0)
    frame.clock.advance(1)
    expect(frame.vaultsEnded()).toBe(1)
  })

  it('stays open for ten minutes for an operation that waits for the user', async () => {
    const { frame, address } = await withWallet()
    const early = await frame.begin('sign')
    frame.clock.advance(599_999)
    expect((await rpc(frame, early, address)).address).toBe(address)
    const late = await frame.begin('sign')
    frame.clock.advance(600_000)
    await expect(rpc(frame, late, address)).rejects.toEqual(unknown)
    frame.clock.advance(60_000)
    expect(frame.vaultsEnded()).toBe(1)
  })

  it('rejects operations of its predecessor after a restart, and accepts new ones', async () => {
    const { frame, paths, address } = await withWallet()
    const stale = await frame.begin('sign')
    await frame.call('mfa:clear', { userId: 'user_1' })
    await expect(rpc(frame, stale, address)).rejects.toEqual(unknown)
    expect(paths()).toEqual([])
    expect((await frame.sign(address)).address).toBe(address)
  })
})

const { key: foreignSealingKey } = await sealingServer()

describe('a create with the slot that a login reserved', () => {
  const reserve = async (change: Partial<PendingWallet> = {}) => {
    const opened = await setUp()
    const { frame, server, paths } = opened
    const place = { ...server.reserve('user_1'), ...change }
    const create = async () => frame.call('wallet:create', { ...(await frame.begin('create')), place })
    return { frame, server, paths, place, create }
  }

  it('sends only the commit', async () => {
    const { create, server, paths } = await reserve()
    expect(await create()).toMatchObject({ address: server.walletOf('user_1')?.address, onDevice: true })
    expect(paths()).toEqual(['/wallets/commit'])
  })

  it('reserves a slot of its own for a wallet with a file in a cloud', async () => {
    const { frame, paths, place } = await reserve()
    await frame.createBy('google-drive', place)
    expect(paths()).toContain('/wallets/begin')
  })

  it('returns the wallet that another device created meanwhile', async () => {
    const { create, server } = await reserve()
    const { address } = await openFrame({ server, disk: emptyDisk() }).create()
    expect(await create()).toEqual({ address, onDevice: false, user: null })
  })

  it.each([
    ['another wallet', { walletId: 'wallet_user_2' }],
    ['another user', { userId: 'user_2' }],
    ['another generation', { generation: 2 }],
    ['another kind of key', { kind: 'imported-key' }],
    ['another chain', { chain: 'solana' }],
    ['a sealing key that is not of the server', { sealingKey: foreignSealingKey }],
  ] as const)('creates no wallet if the dialog names %s', async (_name, change) => {
    const { frame, server, create } = await reserve(change)
    await expect(create()).rejects.toThrow()
    expect(server.walletOf('user_1')).toBeUndefined()
    const { address } = await frame.create()
    expect((await frame.sign(address)).address).toBe(address)
  })
})

// spec W7.22
describe('identical concurrent creates', () => {
  it('run once, although each has its own token and operation', async () => {
    const { frame, paths } = await setUp()
    const [one, two] = [await frame.begin('create'), await frame.begin('create')]
    expect(one.accessToken).not.toBe(two.accessToken)
    expect(one.operation).not.toEqual(two.operation)
    const [first, second] = await Promise.all([
      frame.call('wallet:create', { ...one, recoveryMethod: 'latchkey' }),
      frame.call('wallet:create', { recoveryMethod: 'latchkey', ...two }),
    ])
    expect(second).toEqual(first)
    expect(paths()).toEqual(['/wallets/begin', '/wallets/commit'])
  })

  it('run once for each of two users', async () => {
    const { frame, server } = await setUp()
    const tokens = await Promise.all(
      ['user_1', 'user_2'].map(async (sub) => {
        const { operationId, publicKey } = await frame.call('operation:begin', {})
        const operation = { id: operationId, step: 1 }
        return { operation, accessToken: server.tokenFor({ sub, publicKey, operation, purpose: 'create' }) }
      }),
    )
    await logIn(frame, 'user_2')
    const [mine, theirs] = await Promise.all(tokens.map((step) => frame.call('wallet:create', step)))
    expect(mine?.address).toBe(server.walletOf('user_1')?.address)
    expect(theirs?.address).toBe(server.walletOf('user_2')?.address)
    expect(mine?.address).not.toBe(theirs?.address)
  })

  it('with malformed tokens make no server call', async () => {
    const { frame, paths } = await setUp()
    const steps = [await frame.begin('create'), await frame.begin('create')]
    const unreadable = steps.map((step, index) => ({ ...step, accessToken: `unreadable_${index}` }))
    for (const step of unreadable)
      await expect(frame.call('wallet:create', step)).rejects.toMatchObject({
        details: { code: 'missing_or_invalid_token' },
      })
    expect(paths()).toEqual([])
  })

  it('continue for the second caller when the first aborts and ends its operation', async () => {
    const { frame, server } = await setUp()
    const held = Promise.withResolvers<void>()
    let begun = 0
    server.intercept((path) => {
      if (path === '/wallets/begin' && ++begun === 1) held.resolve()
      return undefined
    })
    const [one, two] = [await frame.begin('create'), await frame.begin('create')]
    const caller = new AbortController()
    const first = frame.call('wallet:create', one, caller.signal)
    const second = frame.call('wallet:create', two)
    await held.promise
    caller.abort(leaving())
    await frame.call('operation:end', { operationId: one.operation.id })
    await expect(first).rejects.toMatchObject({ details: { code: 'call_cancelled' } })
    expect((await second).address).toBe(server.walletOf('user_1')?.address)
  })
})

describe('a caller that aborts', () => {
  it('stops the retries of its call', async () => {
    const { frame, server, paths, address } = await withWallet({ waits: true })
    server.intercept(() => Response.json({ error: 'Busy' }, { status: 503 }))
    const caller = new AbortController()
    const signing = rpc(frame, await frame.begin('sign'), address, caller.signal)
    signing.catch(() => {})
    await expect.poll(() => frame.waitedMs).toEqual([500])
    const timers = frame.clock.timers()
    caller.abort(leaving())
    await expect(signing).rejects.toMatchObject({ details: { code: 'call_cancelled' } })
    expect(frame.clock.timers()).toBeLessThan(timers)
    server.intercept(() => undefined)
    frame.clock.advance(500)
    await otherCall(frame, address)
    expect(paths()).toEqual(['/wallets/shares', '/wallets'])
  })

  it('prevents the release of a share if it aborts early enough', async () => {
    const { frame, paths, address } = await withWallet()
    const step = await frame.begin('sign')
    const caller = new AbortController()
    const signing = rpc(frame, step, address, caller.signal)
    caller.abort(leaving())
    await expect(signing).rejects.toEqual(code('call_cancelled'))
    await otherCall(frame, address)
    expect(paths()).toEqual(['/wallets'])
  })
})
