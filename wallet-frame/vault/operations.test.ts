import type { ShareContext } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { sealToVault } from '../testing/sealing-server.ts'
import { createOperations, operationKinds } from './operations.ts'

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
const share = new Uint8Array([1, 2, 3])
const unknown = expect.objectContaining({ code: 'vault_operation_unknown' })
const refused = expect.objectContaining({ code: 'envelope_refused' })

const kinds = {
  reshare: { steps: 3, opens: 1, purpose: 'recover' },
  sign: { steps: 1, opens: 1, purpose: 'recover' },
  connect: { steps: 1, opens: 0, purpose: 'connect' },
  recover: { steps: 2, opens: 2, purpose: 'recover' },
} as const

async function setUp() {
  const clock = testClock()
  const operations = createOperations<keyof typeof kinds>(kinds, clock)
  const { operationId: id, publicKey } = await operations.begin()
  const sealedFor = (step: number, to = { id, publicKey }) =>
    sealToVault(to.publicKey, share, context, { id: to.id, step })
  return { clock, operations, id, sealedFor }
}

it('the kinds that there are have one step each, and those that open nothing say so', () => {
  expect(operationKinds).toEqual({
    create: { steps: 1, opens: 0, purpose: 'create' },
    import: { steps: 1, opens: 1, purpose: 'import' },
    connect: { steps: 1, opens: 0, purpose: 'connect' },
    recover: { steps: 1, opens: 1, purpose: 'recover' },
    sign: { steps: 1, opens: 1, purpose: 'sign' },
    'farcaster-signer': { steps: 1, opens: 1, purpose: 'farcaster-signer' },
    'farcaster-sign': { steps: 1, opens: 1, purpose: 'farcaster-sign' },
    'create-with-password': { steps: 1, opens: 1, purpose: 'create' },
    'import-with-password': { steps: 1, opens: 2, purpose: 'import' },
    'recover-with-password': { steps: 1, opens: 2, purpose: 'recover' },
    'set-password': { steps: 1, opens: 3, purpose: 'set-recovery' },
    'set-file': { steps: 1, opens: 2, purpose: 'set-recovery' },
    'create-with-passkey': { steps: 1, opens: 1, purpose: 'create' },
    'import-with-passkey': { steps: 1, opens: 2, purpose: 'import' },
    'recover-with-passkey': { steps: 1, opens: 2, purpose: 'recover' },
    'set-passkey': { steps: 1, opens: 3, purpose: 'set-recovery' },
  })
})

describe('an operation', () => {
  it('opens what was released for its step, once', async () => {
    const { operations, id, sealedFor } = await setUp()
    const sealed = await sealedFor(1)
    const open = operations.take({ id, step: 1 }, 'sign')
    expect(await open(sealed, context)).toEqual(share)
    expect(() => operations.take({ id, step: 1 }, 'sign')).toThrow(unknown)
  })

  it('of several steps opens each of them once, and none before one that was done', async () => {
    const { operations, id, sealedFor } = await setUp()
    for (const step of [1, 4, 7]) {
      const open = operations.take({ id, step }, 'reshare')
      expect(await open(await sealedFor(step), context)).toEqual(share)
      for (const done of [step, step - 1]) {
        expect(() => operations.take({ id, step: done }, 'reshare')).toThrow(unknown)
        expect(() => operations.enter({ id, step: done }, 'reshare')).toThrow(unknown)
      }
    }
    expect(() => operations.take({ id, step: 8 }, 'reshare')).toThrow(unknown)
  })

  it('does not open the answer of step 2 as step 1, nor the other way round', async () => {
    const { operations, id, sealedFor } = await setUp()
    const openFirst = operations.take({ id, step: 1 }, 'reshare')
    await expect(openFirst(await sealedFor(2), context)).rejects.toEqual(refused)
    const openSecond = operations.take({ id, step: 2 }, 'reshare')
    await expect(openSecond(await sealedFor(1), context)).rejects.toEqual(refused)
    expect(await openSecond(await sealedFor(2), context)).toEqual(share)
  })

  it('whose step opens several opens so many, and does no other step in between', async () => {
    const { operations, id, sealedFor } = await setUp()
    for (const [step, next] of [
      [1, 2],
      [2, 3],
    ] as const) {
      const openFirst = operations.take({ id, step }, 'recover')
      for (const use of [operations.take, operations.enter]) {
        expect(() => use({ id, step: next }, 'recover')).toThrow(unknown)
      }
      operations.enter({ id, step }, 'recover')
      const openSecond = operations.take({ id, step }, 'recover')
      for (const open of [openFirst, openSecond])
        expect(await open(await sealedFor(step), context)).toEqual(share)
      expect(() => operations.take({ id, step }, 'recover')).toThrow(unknown)
    }
    expect(operations.openForMs()).toBe(0)
  })

  it('keeps a key for the parts of a step that come after, and has none before', async () => {
    const { operations, id } = await setUp()
    const step = { id, step: 1 }
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
    operations.take(step, 'recover')
    expect(() => operations.kept(step, 'recover')).toThrow(unknown)
    operations.keep(step, 'recover', key)
    expect(operations.kept(step, 'recover')).toBe(key)
    for (const other of [
      { id: 'nobody', step: 1 },
      { id, step: 2 },
    ]) {
      expect(() => operations.kept(other, 'recover')).toThrow(unknown)
      expect(() => operations.keep(other, 'recover', key)).toThrow(unknown)
    }
    expect(() => operations.kept(step, 'sign')).toThrow(unknown)
    operations.end(id)
    expect(() => operations.kept(step, 'recover')).toThrow(unknown)
  })

  it("does not open another operation's answer, whether it was for its key or only for its id", async () => {
    const { operations, id, sealedFor } = await setUp()
    const other = await operations.begin()
    const open = operations.take({ id, step: 1 }, 'sign')
    const forOther = { id: other.operationId, publicKey: other.publicKey }
    await expect(open(await sealedFor(1, forOther), context)).rejects.toEqual(refused)
    await expect(open(await sealedFor(1, { ...forOther, id }), context)).rejects.toEqual(refused)
    expect(await open(await sealedFor(1), context)).toEqual(share)
  })

  it('is for what its first step was for', async () => {
    const { operations, id } = await setUp()
    operations.enter({ id, step: 1 }, 'reshare')
    expect(() => operations.enter({ id, step: 1 }, 'sign')).toThrow(unknown)
    expect(() => operations.take({ id, step: 1 }, 'sign')).toThrow(unknown)
    operations.enter({ id, step: 1 }, 'reshare')
  })

  it('uses nothing when it is only asked whether a step can be done', async () => {
    const { operations, id, sealedFor } = await setUp()
    operations.enter({ id, step: 1 }, 'sign')
    operations.enter({ id, step: 1 }, 'sign')
    const open = operations.take({ id, step: 1 }, 'sign')
    expect(await open(await sealedFor(1), context)).toEqual(share)
  })

  it('whose step opens nothing does it when it is entered', async () => {
    const { operations, id } = await setUp()
    operations.enter({ id, step: 1 }, 'connect')
    expect(() => operations.enter({ id, step: 1 }, 'connect')).toThrow(unknown)
    expect(operations.openForMs()).toBe(0)
  })

  it('has no key pair any more when it was ended', async () => {
    const { operations, id, clock } = await setUp()
    operations.end(id)
    expect(() => operations.take({ id, step: 1 }, 'sign')).toThrow(unknown)
    expect(operations.openForMs()).toBe(0)
    expect(clock.timers()).toBe(0)
    operations.end(id)
  })

  it('waits for a person for ten minutes, and then its key pair is gone', async () => {
    const { operations, id, clock } = await setUp()
    expect(operations.openForMs()).toBe(10 * 60_000)
    clock.advance(10 * 60_000 - 1)
    operations.enter({ id, step: 1 }, 'sign')
    expect(operations.openForMs()).toBe(1)
    clock.advance(1)
    expect(() => operations.enter({ id, step: 1 }, 'sign')).toThrow(unknown)
    expect(clock.timers()).toBe(0)
  })

  it('is over at its deadline even where no timer fires', async () => {
    const clock = testClock()
    const asleep = createOperations<keyof typeof kinds>(kinds, { ...clock, after: () => () => {} })
    const { operationId: id } = await asleep.begin()
    clock.advance(10 * 60_000 - 1)
    asleep.enter({ id, step: 1 }, 'sign')
    clock.advance(1)
    expect(() => asleep.take({ id, step: 1 }, 'sign')).toThrow(unknown)
  })

  it('has an id and a key pair of its own, and unknown ones are refused', async () => {
    const { operations } = await setUp()
    const begun = await Promise.all(Array.from({ length: 5 }, () => operations.begin()))
    expect(new Set(begun.map(({ operationId }) => operationId)).size).toBe(5)
    for (const { operationId } of begun) expect(operationId).toMatch(/^[A-Za-z0-9_-]{24}$/)
    expect(new Set(begun.map(({ publicKey }) => publicKey)).size).toBe(5)
    for (const id of ['nobody', 'constructor', '__proto__']) {
      expect(() => operations.take({ id, step: 1 }, 'sign')).toThrow(unknown)
    }
  })
})
