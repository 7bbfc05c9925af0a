import type { ShareContext } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { sealPasskey, sealPassword, sealToVault } from '../../testing/server/sealing-server.ts'
import { sealImported } from '../shares/sealing.ts'
import { createOperations, operationKinds, type StepRequest } from './operations.ts'

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
  reshare: { steps: 3, requests: ['reshare'], purpose: 'recover' },
  sign: { steps: 1, requests: ['sign'], purpose: 'recover' },
  connect: { steps: 1, requests: [], purpose: 'connect' },
  recover: { steps: 2, requests: ['unlock', 'recoverUnlocked'], purpose: 'recover' },
} as const

type Kind = keyof typeof kinds

async function setUp() {
  const clock = testClock()
  const operations = createOperations<Kind>(kinds, clock)
  const { operationId: id, publicKey } = await operations.begin()
  const sealedFor = (step: number, to = { id, publicKey }) =>
    sealToVault(to.publicKey, share, context, { id: to.id, step })
  const inputs = (
    step: number,
    kind: Kind,
    request: StepRequest = kinds[kind].requests[0] ?? 'sign',
    of = id,
  ) => operations.getInputs({ id: of, step }, kind, request)
  /** Opens an input that was sealed for a step, in a call without other inputs. */
  const open = async (step: number, kind: Kind, request?: StepRequest) =>
    inputs(step, kind, request).openReleased(await sealedFor(step), context)
  return { clock, operations, id, publicKey, sealedFor, inputs, open }
}

it('the operation kinds have one step each, with these requests', () => {
  expect(operationKinds).toEqual({
    create: { steps: 1, requests: [], purpose: 'create' },
    import: { steps: 1, requests: ['create'], purpose: 'import' },
    connect: { steps: 1, requests: [], purpose: 'connect' },
    recover: { steps: 1, requests: ['recover'], purpose: 'recover' },
    sign: { steps: 1, requests: ['sign'], purpose: 'sign' },
    'set-delegate': { steps: 1, requests: ['sign'], purpose: 'set-delegate' },
    'solana-address': { steps: 1, requests: ['proveSolanaAddress'], purpose: 'solana-address' },
    'farcaster-signer': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-signer' },
    'farcaster-sign': { steps: 1, requests: ['farcasterSigner'], purpose: 'farcaster-sign' },
    'create-with-password': { steps: 1, requests: ['create'], purpose: 'create' },
    'import-with-password': { steps: 1, requests: ['create'], purpose: 'import' },
    'recover-with-password': { steps: 1, requests: ['unlock', 'recoverUnlocked'], purpose: 'recover' },
    'set-password': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
    'set-file': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
    'create-with-passkey': { steps: 1, requests: ['create'], purpose: 'create' },
    'import-with-passkey': { steps: 1, requests: ['create'], purpose: 'import' },
    'recover-with-passkey': { steps: 1, requests: ['recoverByPasskey'], purpose: 'recover' },
    'set-passkey': { steps: 1, requests: ['reshare', 'confirm'], purpose: 'set-recovery' },
  })
})

describe('an operation', () => {
  it('opens a share that was released for its step, once', async () => {
    const { open } = await setUp()
    expect(await open(1, 'sign')).toEqual(share)
    await expect(open(1, 'sign')).rejects.toEqual(unknown)
  })

  it('opens all inputs of a step in one call, and none in another call', async () => {
    const { inputs, publicKey, id, sealedFor } = await setUp()
    const operation = { id, step: 1 }
    const [mine, another] = [inputs(1, 'sign'), inputs(1, 'sign')]
    const [password, secret, key] = [
      await sealPassword(publicKey, 'correct-horse', operation),
      await sealPasskey(publicKey, share.slice(), operation),
      await sealImported(publicKey, share.slice(), operation),
    ]
    expect(await mine.openReleased(await sealedFor(1), context)).toEqual(share)
    expect(await mine.openReleased(await sealedFor(1), context)).toEqual(share)
    expect(new TextDecoder().decode(await mine.openPassword(password))).toBe('correct-horse')
    expect(await mine.openPasskey(secret)).toEqual(share)
    expect(await mine.openImported(key)).toEqual(share)
    for (const opened of [
      another.openReleased(await sealedFor(1), context),
      another.openPassword(password),
      another.openPasskey(secret),
      another.openImported(key),
    ]) {
      await expect(opened).rejects.toEqual(unknown)
    }
  })

  it('with several steps opens each once, and none before a completed one', async () => {
    const { operations, id, open } = await setUp()
    for (const step of [1, 4, 7]) {
      expect(await open(step, 'reshare')).toEqual(share)
      for (const done of [step, step - 1]) {
        await expect(open(done, 'reshare')).rejects.toEqual(unknown)
        expect(() => operations.enter({ id, step: done }, 'reshare')).toThrow(unknown)
      }
    }
    await expect(open(8, 'reshare')).rejects.toEqual(unknown)
  })

  it('does not open an input of step 2 as step 1, or the reverse', async () => {
    const { inputs, sealedFor } = await setUp()
    await expect(inputs(1, 'reshare').openReleased(await sealedFor(2), context)).rejects.toEqual(refused)
    const second = inputs(2, 'reshare')
    await expect(second.openReleased(await sealedFor(1), context)).rejects.toEqual(refused)
    expect(await second.openReleased(await sealedFor(2), context)).toEqual(share)
  })

  it('with two requests in a step serves each once, in order, and no other step in between', async () => {
    const { operations, id, open } = await setUp()
    for (const [step, next] of [
      [1, 2],
      [2, 3],
    ] as const) {
      await expect(open(step, 'recover', 'recoverUnlocked')).rejects.toEqual(unknown)
      expect(await open(step, 'recover', 'unlock')).toEqual(share)
      await expect(open(step, 'recover', 'unlock')).rejects.toEqual(unknown)
      await expect(open(next, 'recover', 'unlock')).rejects.toEqual(unknown)
      await expect(open(next, 'recover', 'recoverUnlocked')).rejects.toEqual(unknown)
      expect(() => operations.enter({ id, step: next }, 'recover')).toThrow(unknown)
      operations.enter({ id, step }, 'recover')
      expect(await open(step, 'recover', 'recoverUnlocked')).toEqual(share)
      await expect(open(step, 'recover', 'recoverUnlocked')).rejects.toEqual(unknown)
    }
    expect(operations.openForMs()).toBe(0)
  })

  it('rejects a request of another kind', async () => {
    const { open } = await setUp()
    await expect(open(1, 'sign', 'recover')).rejects.toEqual(unknown)
    await expect(open(1, 'connect', 'sign')).rejects.toEqual(unknown)
  })

  it('stores a key for the second request of a step, if the first one stored it', async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
    const { inputs } = await setUp()
    inputs(1, 'recover', 'unlock').storeKey(key)
    const second = inputs(1, 'recover', 'recoverUnlocked')
    expect(second.storedKey()).toBe(key)
    expect(second.storedKey()).toBe(key)
    expect(() => inputs(1, 'recover', 'recoverUnlocked').storedKey()).toThrow(unknown)
    const without = await setUp()
    await without.open(1, 'recover', 'unlock')
    expect(() => without.inputs(1, 'recover', 'recoverUnlocked').storedKey()).toThrow(unknown)
  })

  it('does not store a key after it ended, or for a last request', async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
    const { operations, id, inputs, sealedFor } = await setUp()
    const mine = inputs(1, 'recover', 'unlock')
    await mine.openReleased(await sealedFor(1), context)
    operations.end(id)
    expect(() => mine.storeKey(key)).toThrow(unknown)
    const single = await setUp()
    const signing = single.inputs(1, 'sign')
    signing.storeKey(key)
    expect(() => signing.storedKey()).toThrow(unknown)
    expect(single.operations.openForMs()).toBe(0)
  })

  it("does not open another operation's input, sealed to its key or only to its ID", async () => {
    const { operations, id, inputs, sealedFor } = await setUp()
    const other = await operations.begin()
    const mine = inputs(1, 'sign')
    const forOther = { id: other.operationId, publicKey: other.publicKey }
    await expect(mine.openReleased(await sealedFor(1, forOther), context)).rejects.toEqual(refused)
    await expect(mine.openReleased(await sealedFor(1, { ...forOther, id }), context)).rejects.toEqual(refused)
    expect(await mine.openReleased(await sealedFor(1), context)).toEqual(share)
  })

  it('keeps the kind of its first step', async () => {
    const { operations, id, open } = await setUp()
    operations.enter({ id, step: 1 }, 'reshare')
    expect(() => operations.enter({ id, step: 1 }, 'sign')).toThrow(unknown)
    await expect(open(1, 'sign')).rejects.toEqual(unknown)
    operations.enter({ id, step: 1 }, 'reshare')
  })

  it('consumes nothing on enter, nor before an input is opened', async () => {
    const { operations, id, inputs, open } = await setUp()
    operations.enter({ id, step: 1 }, 'sign')
    operations.enter({ id, step: 1 }, 'sign')
    inputs(1, 'sign')
    expect(await open(1, 'sign')).toEqual(share)
  })

  it('completes a step without requests on enter', async () => {
    const { operations, id } = await setUp()
    operations.enter({ id, step: 1 }, 'connect')
    expect(() => operations.enter({ id, step: 1 }, 'connect')).toThrow(unknown)
    expect(operations.openForMs()).toBe(0)
  })

  it('has no key pair after it ended', async () => {
    const { operations, id, clock, open } = await setUp()
    operations.end(id)
    await expect(open(1, 'sign')).rejects.toEqual(unknown)
    expect(operations.openForMs()).toBe(0)
    expect(clock.timers()).toBe(0)
    operations.end(id)
  })

  it('waits for the user for ten minutes, and then deletes its key pair', async () => {
    const { operations, id, clock } = await setUp()
    expect(operations.openForMs()).toBe(10 * 60_000)
    clock.advance(10 * 60_000 - 1)
    operations.enter({ id, step: 1 }, 'sign')
    expect(operations.openForMs()).toBe(1)
    clock.advance(1)
    expect(() => operations.enter({ id, step: 1 }, 'sign')).toThrow(unknown)
    expect(clock.timers()).toBe(0)
  })

  it('expires at its deadline even if no timer fires', async () => {
    const clock = testClock()
    const asleep = createOperations<Kind>(kinds, { ...clock, after: () => () => {} })
    const { operationId: id } = await asleep.begin()
    clock.advance(10 * 60_000 - 1)
    asleep.enter({ id, step: 1 }, 'sign')
    clock.advance(1)
    expect(() => asleep.enter({ id, step: 1 }, 'sign')).toThrow(unknown)
    expect(() => asleep.getInputs({ id, step: 1 }, 'sign', 'sign').storedKey()).toThrow(unknown)
  })

  it('returns its public key while it is open, and on enter', async () => {
    const clock = testClock()
    const asleep = createOperations<Kind>(kinds, { ...clock, after: () => () => {} })
    const { operationId: id, publicKey } = await asleep.begin()
    const ended = await asleep.begin()
    asleep.end(ended.operationId)
    expect(() => asleep.getPublicKey(ended.operationId)).toThrow(unknown)
    expect(asleep.enter({ id, step: 1 }, 'sign')).toEqual({ publicKey })
    clock.advance(10 * 60_000 - 1)
    expect(asleep.getPublicKey(id)).toBe(publicKey)
    clock.advance(1)
    expect(() => asleep.getPublicKey(id)).toThrow(unknown)
  })

  it('has its own ID and key pair, and unknown IDs are rejected', async () => {
    const { operations, inputs, sealedFor } = await setUp()
    const begun = await Promise.all(Array.from({ length: 5 }, () => operations.begin()))
    expect(new Set(begun.map(({ operationId }) => operationId)).size).toBe(5)
    for (const { operationId } of begun) expect(operationId).toMatch(/^[A-Za-z0-9_-]{24}$/)
    expect(new Set(begun.map(({ publicKey }) => publicKey)).size).toBe(5)
    for (const id of ['nobody', 'constructor', '__proto__']) {
      const opened = inputs(1, 'sign', 'sign', id).openReleased(await sealedFor(1), context)
      await expect(opened).rejects.toEqual(unknown)
    }
  })
})
