import { describe, expect, it } from 'vitest'
import { testClock } from '../testing/frame.ts'
import { createVaultClient, type VaultWorker } from './vault-client.ts'

const key = 'A'.repeat(87)
const code = (expected: string) => expect.objectContaining({ code: expected })

function setUp(
  call: (request: unknown) => Promise<unknown> = async () => ({ ok: true, value: { publicKey: key } }),
) {
  const clock = testClock()
  const workers: { ended: boolean; crash: () => void }[] = []
  const start = (): VaultWorker => {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    const worker = { ended: false, crash: () => reject(new Error('The vault broke')) }
    workers.push(worker)
    return {
      call,
      broken,
      end: () => {
        worker.ended = true
      },
    }
  }
  return { clock, workers, vault: createVaultClient({ start, clock }) }
}

describe('the vault', () => {
  it('is started when it is needed, and once', async () => {
    const { vault, workers } = setUp()
    expect(workers).toHaveLength(0)
    await Promise.all([vault.publicKey(), vault.publicKey()])
    expect(workers).toHaveLength(1)
  })

  it('that does not answer is ended, and the call fails', async () => {
    const { vault, workers, clock } = setUp(() => new Promise(() => {}))
    const asked = vault.publicKey()
    clock.advance(20_000)
    await expect(asked).rejects.toEqual(code('error'))
    expect(workers.map(({ ended }) => ended)).toEqual([true])
  })

  it('that breaks fails its calls, and the next call has a new one', async () => {
    let answer: () => Promise<unknown> = () => new Promise(() => {})
    const { vault, workers } = setUp(() => answer())
    const asked = vault.publicKey()
    workers[0]?.crash()
    await expect(asked).rejects.toThrow('The vault broke')
    answer = async () => ({ ok: true, value: { publicKey: key } })
    expect(await vault.publicKey()).toBe(key)
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  })

  it('that is ended settles the calls that are under way, and gives its place and name to no other', async () => {
    let answer = (_value: unknown) => {}
    const { vault, workers } = setUp(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const asked = vault.publicKey()
    vault.end()
    await expect(asked).rejects.toEqual(code('error'))
    const again = vault.publicKey()
    answer({ ok: true, value: { publicKey: key } })
    expect(await again).toBe(key)
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no result', { publicKey: key }],
    ['a value of another shape', { ok: true, value: {} }],
    ['an error without a code', { ok: false, error: { message: 'x' } }],
    ['more than an answer', { ok: true, value: { publicKey: key }, also: 1 }],
  ])('that answers %s is not believed', async (_name, answer) => {
    const { vault } = setUp(async () => answer)
    await expect(vault.publicKey()).rejects.toThrow()
  })

  it('has no key that a token could name before it was asked for one', async () => {
    const { vault } = setUp()
    expect(() => vault.presentKey()).toThrow(expect.objectContaining({ code: 'vault_key_unknown' }))
    await vault.publicKey()
    expect(vault.presentKey()).toBe(key)
    vault.end()
    expect(() => vault.presentKey()).toThrow(expect.objectContaining({ code: 'vault_key_unknown' }))
  })

  it('is not ended by the idle minute of an earlier call while a later one is under way', async () => {
    const answers: ((value: unknown) => void)[] = []
    const { vault, workers, clock } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    const first = vault.publicKey()
    answers[0]?.({ ok: true, value: { publicKey: key } })
    await first
    clock.advance(59_999)
    const second = vault.publicKey()
    clock.advance(1)
    expect(workers[0]?.ended).toBe(false)
    answers[1]?.({ ok: true, value: { publicKey: key } })
    expect(await second).toBe(key)
  })

  it('waits a minute after the last of several calls', async () => {
    const answers: ((value: unknown) => void)[] = []
    const { vault, workers, clock } = setUp(() => new Promise((resolve) => answers.push(resolve)))
    const [first, second] = [vault.publicKey(), vault.publicKey()]
    answers[0]?.({ ok: true, value: { publicKey: key } })
    await first
    clock.advance(19_000)
    expect(workers[0]?.ended).toBe(false)
    answers[1]?.({ ok: true, value: { publicKey: key } })
    await second
    clock.advance(59_999)
    expect(workers[0]?.ended).toBe(false)
    clock.advance(1)
    expect(workers[0]?.ended).toBe(true)
  })
})
