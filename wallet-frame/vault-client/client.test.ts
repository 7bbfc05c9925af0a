import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, it } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { type VaultInputs, type VaultRequest, vaultOutputs } from '../vault/contract.ts'
import { createVaultClient, type VaultWorker } from './client.ts'

const begun = { operationId: 'operation_1', publicKey: 'A'.repeat(87) }
const wallet = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  address: `0x${'1'.repeat(40)}`,
} as const
const patient = new AbortController().signal
const answered = (value: unknown, openForMs = 0) => ({ ok: true, openForMs, value })
const code = (expected: string) => expect.objectContaining({ code: expected })

function setUp(call: (request: unknown) => Promise<unknown> = async () => answered(begun)) {
  const clock = testClock()
  const workers: { ended: boolean; crash: () => void }[] = []
  const requests: { id: string; name: string; input: unknown }[] = []
  const start = (): VaultWorker => {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    const worker = { ended: false, crash: () => reject(new Error('The vault broke')) }
    workers.push(worker)
    return {
      call: (request) => {
        requests.push(request as (typeof requests)[number])
        return call(request)
      },
      broken,
      end: () => {
        worker.ended = true
      },
    }
  }
  const vault = createVaultClient<VaultInputs, typeof vaultOutputs>({ outputs: vaultOutputs, start, clock })
  const begin = (signal = patient) => vault.call('begin', {}, signal)
  return { clock, workers, requests, vault, begin }
}

describe('the vault client', () => {
  it('starts the vault on demand, and once', async () => {
    const { begin, workers } = setUp()
    expect(workers).toHaveLength(0)
    await Promise.all([begin(), begin()])
    expect(workers).toHaveLength(1)
  })

  it('ends a vault that does not respond, and fails the call', async () => {
    const { begin, workers, clock } = setUp(() => new Promise(() => {}))
    const asked = begin()
    clock.advance(20_000)
    await expect(asked).rejects.toEqual(code('error'))
    expect(workers.map(({ ended }) => ended)).toEqual([true])
  })

  it('fails the calls of a broken vault, and starts another one for the next call', async () => {
    let answer: () => Promise<unknown> = () => new Promise(() => {})
    const { begin, workers } = setUp(() => answer())
    const asked = begin()
    workers[0]?.crash()
    await expect(asked).rejects.toThrow('The vault broke')
    answer = async () => answered(begun)
    expect(await begin()).toEqual(begun)
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  })

  it('settles pending calls of an ended vault, whose late responses affect no other', async () => {
    let answer = (_value: unknown) => {}
    const { vault, begin, workers } = setUp(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const asked = begin()
    vault.end()
    await expect(asked).rejects.toEqual(code('error'))
    const again = begin()
    answer(answered(begun))
    expect(await again).toEqual(begun)
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no result', begun],
    ['a result without how long it is busy', { ok: true, value: begun }],
    ['an error without a code', { ok: false, openForMs: 0, error: { message: 'x' } }],
    ['more than an answer', { ...answered(begun), also: 1 }],
    ['a result and an error', { ...answered(begun), error: { code: 'error', message: 'x' } }],
  ])('rejects the response %s', async (_name, answer) => {
    const { begin } = setUp(async () => answer)
    await expect(begin()).rejects.toEqual(code('error'))
  })

  it.each<[string, VaultRequest, unknown]>([
    ['a key pair without its id', 'begin', { publicKey: begun.publicKey }],
    ['a key of another length', 'begin', { ...begun, publicKey: 'A' }],
    ['an address that is none', 'adopt', { address: 'x' }],
    ['more than an address', 'adopt', { address: wallet.address, also: 1 }],
    ['no signature', 'sign', { address: wallet.address, data: 'signed' }],
    [
      'a share in the clear',
      'create',
      { address: wallet.address, auth: 'AQID', recovery: 'AQID', proof: '0x00' },
    ],
    ['something where nothing is due', 'end', { left: 1 }],
  ])('rejects an output with %s', async (_name, name, value) => {
    const { vault } = setUp(async () => answered(value))
    // The request does not matter here: the output is parsed by the name of the request.
    await expect(vault.call(name, {} as never, patient)).rejects.toEqual(code('error'))
  })

  it('keeps code, message and reason of an error with a known code', async () => {
    const error = { code: 'share_mismatch', message: 'Not this one', details: { reason: 'wrong_role' } }
    const { begin } = setUp(async () => ({ ok: false, openForMs: 0, error }))
    await expect(begin()).rejects.toMatchObject(error)
    const unknown = setUp(async () => ({ ok: false, openForMs: 0, error: { ...error, code: 'made_up' } }))
    await expect(unknown.begin()).rejects.toEqual(code('error'))
  })

  it('does not end the vault by the idle timer of an earlier call while a later one is pending', async () => {
    const answers: ((value: unknown) => void)[] = []
    const { begin, workers, clock } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    const first = begin()
    answers[0]?.(answered(begun))
    await first
    clock.advance(59_999)
    const second = begin()
    clock.advance(1)
    expect(workers[0]?.ended).toBe(false)
    answers[1]?.(answered(begun))
    expect(await second).toEqual(begun)
  })

  it('ends the vault a minute after the last of several calls', async () => {
    const answers: ((value: unknown) => void)[] = []
    const { begin, workers, clock } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    const [first, second] = [begin(), begin()]
    answers[0]?.(answered(begun))
    await first
    clock.advance(19_000)
    expect(workers[0]?.ended).toBe(false)
    answers[1]?.(answered(begun))
    await second
    clock.advance(59_999)
    expect(workers[0]?.ended).toBe(false)
    clock.advance(1)
    expect(workers[0]?.ended).toBe(true)
  })

  it('keeps the vault while an operation may be open, and ends it a minute later', async () => {
    const { begin, workers, clock } = setUp(async () => answered(begun, 600_000))
    await begin()
    clock.advance(600_000 + 59_999)
    expect(workers[0]?.ended).toBe(false)
    clock.advance(1)
    expect(workers[0]?.ended).toBe(true)
  })

  it('ends the vault a minute after its last operation ended', async () => {
    const open = { ms: 600_000 }
    const { vault, begin, workers, clock } = setUp(async (request) =>
      answered((request as { name: string }).name === 'begin' ? begun : {}, open.ms),
    )
    await begin()
    open.ms = 0
    await vault.call('end', { operationId: 'operation_1' }, patient)
    clock.advance(59_999)
    expect(vault.isRunning()).toBe(true)
    clock.advance(1)
    expect([vault.isRunning(), workers[0]?.ended]).toEqual([false, true])
  })
})

describe('a call that is aborted', () => {
  it('rejects at once, and the vault is told to stop it', async () => {
    const { begin, requests } = setUp((request) =>
      (request as { name: string }).name === 'stop' ? Promise.resolve(answered({})) : new Promise(() => {}),
    )
    const caller = new AbortController()
    const asked = begin(caller.signal)
    const other = begin()
    caller.abort(new LatchkeyError('call_cancelled', 'Taken back'))
    await expect(asked).rejects.toEqual(code('call_cancelled'))
    const [mine] = requests
    expect(requests.at(-1)).toMatchObject({ name: 'stop', input: { call: mine?.id } })
    expect(await Promise.race([other, Promise.resolve('waits')])).toBe('waits')
  })

  it('before it is made starts no vault', async () => {
    const { begin, requests, workers } = setUp()
    await expect(begin(AbortSignal.abort(new LatchkeyError('call_cancelled', 'Gone')))).rejects.toEqual(
      code('call_cancelled'),
    )
    expect([requests, workers]).toEqual([[], []])
  })

  it('is reported to the vault only while it is pending', async () => {
    const { begin, requests } = setUp()
    const caller = new AbortController()
    await begin(caller.signal)
    caller.abort()
    expect(requests.map(({ name }) => name)).toEqual(['begin'])
  })
})
