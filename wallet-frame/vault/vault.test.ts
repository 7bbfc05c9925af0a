import { LatchkeyError, product } from '@latchkey/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { emptyDisk, memoryDatabase } from '../testing/memory-database.ts'
import { ask, beginIn, line, newVault } from '../testing/test-wallet.ts'
import { createVault } from './vault.ts'

const address = `0x${'0'.repeat(40)}`
const wallet = { ...line, address }

describe('a request to the vault', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, ''],
    ['an unknown request', { id: '1', name: 'exportKey', input: {} }, 'name'],
    ['a name of the language', { id: '1', name: 'constructor', input: {} }, 'name'],
    ['a prototype', { id: '1', name: '__proto__', input: {} }, 'name'],
    ['a field too many', { id: '1', name: 'begin', input: {}, also: 1 }, 'also'],
    ['a call without an id', { name: 'begin', input: {} }, 'id'],
    ['a call with an empty id', { id: '', name: 'begin', input: {} }, 'id'],
    ['a call with an endless id', { id: 'i'.repeat(65), name: 'begin', input: {} }, 'id'],
    ['an input with a field too many', { id: '1', name: 'begin', input: { also: 1 } }, 'also'],
    ['a create without a key', { id: '1', name: 'create', input: { line } }, 'serverKey'],
    [
      'an app id of the wrong length',
      { id: '1', name: 'adopt', input: { wallet: { ...wallet, appId: 'a' } } },
      'wallet.appId',
    ],
    [
      'a kind that there is not',
      { id: '1', name: 'adopt', input: { wallet: { ...wallet, kind: 'seed' } } },
      'wallet.kind',
    ],
    [
      'step zero',
      { id: '1', name: 'enter', input: { operation: { id: 'a', step: 0 }, kind: 'sign' } },
      'operation.step',
    ],
    [
      'an operation for what there is not',
      { id: '1', name: 'enter', input: { operation: { id: 'a', step: 1 }, kind: 'export' } },
      'kind',
    ],
  ])('is refused with the path of the problem if it is %s', async (_name, request, reason) => {
    const vault = newVault(emptyDisk())
    expect(await vault.call(request)).toEqual({
      ok: false,
      openForMs: 0,
      error: {
        code: 'invalid_request_arguments',
        message: 'The vault refused the request',
        details: { reason },
      },
    })
  })

  it('has an ID of up to 64 characters', async () => {
    const vault = newVault(emptyDisk())
    expect(await vault.call({ id: 'i'.repeat(64), name: 'begin', input: {} })).toMatchObject({ ok: true })
  })

  it('always gets a plain value in response', async () => {
    const vault = newVault(emptyDisk())
    const names = fc.constantFrom('begin', 'end', 'enter', 'create', 'adopt', 'recover', 'sign', 'stop')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.record({ id: fc.string(), name: names, input: fc.anything() })),
        async (request) => {
          const answer = await vault.call(request)
          expect(structuredClone(answer)).toEqual(answer)
        },
      ),
    )
  })

  it('gets errors with a code, a message and a reason only', async () => {
    const vault = createVault({
      openDatabase: () => {
        throw new Error('secret detail')
      },
      clock: testClock(),
    })
    const answer = await vault.call({ id: '1', name: 'adopt', input: { wallet } })
    expect(answer).toEqual({
      ok: false,
      openForMs: 0,
      error: { code: 'error', message: 'The vault could not do this' },
    })
  })

  it("gets only the reason of an error's details, without cause or stack", async () => {
    const details = { reason: 'wrong_address', secret: 'secret detail', nested: { key: 'secret detail' } }
    const cause = new Error('secret detail')
    const vault = createVault({
      openDatabase: () => {
        throw new LatchkeyError('share_mismatch', 'Not the share', { details, cause, retryAfterSeconds: 7 })
      },
      clock: testClock(),
    })
    expect(await vault.call({ id: '1', name: 'adopt', input: { wallet } })).toEqual({
      ok: false,
      openForMs: 0,
      error: { code: 'share_mismatch', message: 'Not the share', details: { reason: 'wrong_address' } },
    })
  })

  it('opens the database of its user, and passes on nothing else', async () => {
    const opened: unknown[] = []
    const vault = createVault({
      openDatabase: (owner) => {
        opened.push(owner)
        return memoryDatabase(emptyDisk())
      },
      clock: testClock(),
    })
    await vault.call({ id: '1', name: 'adopt', input: { wallet } })
    await vault.call({ id: '2', name: 'adopt', input: { wallet: { ...wallet, userId: 'user_2' } } })
    expect(opened).toEqual([
      { appId: 'a'.repeat(25), userId: 'user_1' },
      { appId: 'a'.repeat(25), userId: 'user_2' },
    ])
  })

  it('uses a separate database for each user of each app', async () => {
    const { databaseName } = await import('../device-database.ts')
    expect(databaseName(line)).toBe(`${product.key}:vault:${'a'.repeat(25)}:user_1`)
  })
})

describe('every response of the vault', () => {
  it('reports how long an operation may still be open', async () => {
    const vault = newVault(emptyDisk())
    expect(await vault.call({ id: '1', name: 'begin', input: {} })).toMatchObject({ openForMs: 600_000 })
    const { operation } = await beginIn(vault)
    await ask(vault, 'enter', { operation, kind: 'connect' })
    // One operation is still open, the other is complete.
    expect(await vault.call({ id: '2', name: 'stop', input: { call: 'x' } })).toMatchObject({
      openForMs: 600_000,
    })
  })
})
