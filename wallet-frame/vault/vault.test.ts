import {
  product,
  type SealedShare,
  type ShareContext,
  type ShareRole,
  walletProofText,
} from '@latchkey/protocol'
import fc from 'fast-check'
import { verifyMessage } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { emptyDisk, type MemoryDisk, memoryDatabase } from '../testing/memory-database.ts'
import { sealingServer, sealToVault } from '../testing/sealing-server.ts'
import type { VaultInput, VaultOperation, VaultOutput } from './contract.ts'
import { evmAddressOf } from './derivation.ts'
import { splitEntropy } from './shamir.ts'
import { decodeShare, encodeShare } from './share.ts'
import { createVault, type Vault } from './vault.ts'

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'user_1' }
const wallet = { ...owner, walletId: 'wallet_1', generation: 1 }
const server = await sealingServer()

const newVault = (disk: MemoryDisk, entropy?: Uint8Array<ArrayBuffer>) =>
  createVault({
    openDatabase: () => memoryDatabase(disk),
    ...(entropy && { randomEntropy: () => entropy.slice() }),
  })

async function ask<Name extends VaultOperation>(vault: Vault, operation: Name, input: VaultInput<Name>) {
  const answer = await vault.call({ operation, input })
  if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer.value as VaultOutput<Name>
}
const keyOf = async (vault: Vault) => (await ask(vault, 'publicKey', {})).publicKey
const failure = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason && { details: { reason } }) })

/** What the server does with a wallet: opens what it was given, and seals it to whichever vault may have it. */
async function created(disk: MemoryDisk, entropy?: Uint8Array<ArrayBuffer>) {
  const vault = await newVault(disk, entropy)
  const made = await ask(vault, 'create', { ...wallet, serverKey: server.key })
  const contextOf = (role: ShareRole): ShareContext => ({ ...wallet, role, address: made.address })
  const kept = {
    auth: await server.open(made.auth, contextOf('auth')),
    recovery: await server.open(made.recovery, contextOf('recovery')),
  }
  const release = async (to: Vault, role: 'auth' | 'recovery', about: Partial<ShareContext> = {}) =>
    sealToVault(await keyOf(to), kept[role], { ...contextOf(role), ...about })
  return { vault, made, kept, release, contextOf }
}

type Wallet = Awaited<ReturnType<typeof created>>
const signWith = async (vault: Vault, { made, release }: Wallet, message = 'hello', auth?: SealedShare) =>
  ask(vault, 'sign', {
    ...wallet,
    vaultKey: await keyOf(vault),
    address: made.address,
    auth: auth ?? (await release(vault, 'auth')),
    request: { method: 'personal_sign', params: [message, made.address] },
  })
const recoverInto = async (vault: Vault, { made, release }: Wallet) =>
  ask(vault, 'recover', {
    ...wallet,
    vaultKey: await keyOf(vault),
    address: made.address,
    auth: await release(vault, 'auth'),
    recovery: await release(vault, 'recovery'),
  })
const isSignedBy = async (address: string, message: string, signature: string) =>
  verifyMessage({ address: address as `0x${string}`, message, signature: signature as `0x${string}` })

describe('creating', () => {
  it('makes a wallet whose proof is signed by its own key', async () => {
    const { made } = await created(emptyDisk())
    const text = walletProofText({ ...wallet, address: made.address })
    expect(await isSignedBy(made.address, text, made.proof)).toBe(true)
  })

  it('gives the server two shares that together are the wallet, each bound to its role', async () => {
    const entropy = new Uint8Array(16).fill(5)
    const { made, kept, contextOf } = await created(emptyDisk(), entropy)
    expect(made.address).toBe(await evmAddressOf(entropy))
    expect(decodeShare(kept.auth, contextOf('auth')).role).toBe('auth')
    expect(decodeShare(kept.recovery, contextOf('recovery')).role).toBe('recovery')
    await expect(server.open(made.auth, contextOf('recovery'))).rejects.toThrow()
  })

  it('answers nothing from which the key could be made', async () => {
    const entropy = new Uint8Array(16).map((_, index) => index + 0x41)
    const disk = emptyDisk()
    const { made, kept } = await created(disk, entropy)
    const told = JSON.stringify([made, [...disk.records]])
    for (const secret of [entropy, kept.auth, kept.recovery]) {
      const buffer = Buffer.from(secret)
      for (const form of [buffer.toString('hex'), buffer.toString('base64url'), buffer.toString('base64')]) {
        expect(told).not.toContain(form.replace(/=+$/, ''))
      }
    }
  })

  it('zeroes the entropy, whether it succeeded or failed', async () => {
    const entropies = [1, 2].map((byte) => new Uint8Array(16).fill(byte))
    const drawn = [...entropies]
    const vault = await createVault({
      openDatabase: () => memoryDatabase(emptyDisk()),
      randomEntropy: () => drawn.shift() ?? new Uint8Array(16),
    })
    const ask = async (publicKey: string) =>
      vault.call({ operation: 'create', input: { ...wallet, serverKey: { id: 'k', publicKey } } })
    expect((await ask(server.key.publicKey)).ok).toBe(true)
    expect((await ask('A'.repeat(87))).ok).toBe(false)
    expect(entropies).toEqual([new Uint8Array(16), new Uint8Array(16)])
  })

  it('leaves the share pending: the device does not have the wallet before the server has it', async () => {
    const disk = emptyDisk()
    const wallet1 = await created(disk)
    await expect(signWith(wallet1.vault, wallet1)).rejects.toEqual(
      failure('wallet_not_on_device', 'no_share'),
    )
    await ask(wallet1.vault, 'promote', { ...owner, address: wallet1.made.address })
    const { data } = await signWith(wallet1.vault, wallet1)
    expect(await isSignedBy(wallet1.made.address, 'hello', data)).toBe(true)
  })

  it('refuses when this device holds a wallet of another address, and overwrites nothing', async () => {
    const disk = emptyDisk()
    const first = await created(disk)
    await ask(first.vault, 'promote', { ...owner, address: first.made.address })
    const before = JSON.stringify([...disk.records])
    await expect(created(disk)).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect(JSON.stringify([...disk.records])).toBe(before)
  })

  it('does not answer when the share that it wrote does not read back', async () => {
    const disk = emptyDisk()
    const vault = await createVault({
      openDatabase: () => {
        const database = memoryDatabase(disk)
        // A disk that loses what it acknowledged.
        return {
          ...database,
          change: (decide) => database.change((records) => ({ result: decide(records).result })),
        }
      },
    })
    const answer = await vault.call({ operation: 'create', input: { ...wallet, serverKey: server.key } })
    expect(answer).toEqual({ ok: false, error: failure('device_storage_unavailable') })
  })
})

describe('promoting', () => {
  it('is done twice without harm', async () => {
    const disk = emptyDisk()
    const { vault, made } = await created(disk)
    const promote = () => ask(vault, 'promote', { ...owner, address: made.address })
    await promote()
    expect(await promote()).toEqual({ address: made.address })
  })

  it('refuses a wallet that was never made here', async () => {
    const vault = await newVault(emptyDisk())
    const address = await evmAddressOf(new Uint8Array(16))
    await expect(ask(vault, 'promote', { ...owner, address })).rejects.toEqual(
      failure('wallet_not_on_device'),
    )
  })

  it('throws away what lost the race', async () => {
    const disk = emptyDisk()
    const loser = await created(disk)
    const winner = await created(disk)
    await ask(winner.vault, 'promote', { ...owner, address: winner.made.address })
    await expect(ask(loser.vault, 'promote', { ...owner, address: loser.made.address })).rejects.toEqual(
      failure('share_mismatch'),
    )
    expect([...disk.records.keys()]).toEqual(['ethereum:committed'])
  })
})

describe('connecting', () => {
  // spec W7.26
  it('answers wallet_not_on_device on a device without the share', async () => {
    const { made } = await created(emptyDisk())
    const elsewhere = await newVault(emptyDisk())
    await expect(ask(elsewhere, 'connect', { ...wallet, address: made.address })).rejects.toEqual(
      failure('wallet_not_on_device', 'no_share'),
    )
  })

  it('takes up a pending share of the address that the server names: the tab died before it could', async () => {
    const disk = emptyDisk()
    const made = await created(disk)
    const next = await newVault(disk)
    expect(await ask(next, 'connect', { ...wallet, address: made.made.address })).toEqual({
      address: made.made.address,
    })
    expect(await isSignedBy(made.made.address, 'hello', (await signWith(next, made)).data)).toBe(true)
  })

  it('does not take up a pending share of another address', async () => {
    const disk = emptyDisk()
    await created(disk)
    const address = await evmAddressOf(new Uint8Array(16))
    await expect(ask(await newVault(disk), 'connect', { ...wallet, address })).rejects.toEqual(
      failure('wallet_not_on_device'),
    )
  })

  it('refuses when the device holds another wallet than the one that the server names', async () => {
    const disk = emptyDisk()
    const { vault, made } = await created(disk)
    await ask(vault, 'promote', { ...owner, address: made.address })
    const address = await evmAddressOf(new Uint8Array(16))
    await expect(ask(vault, 'connect', { ...wallet, address })).rejects.toEqual(failure('share_mismatch'))
  })

  it('sends a device to recovery whose share is of an earlier generation', async () => {
    const disk = emptyDisk()
    const { vault, made } = await created(disk)
    const stale = failure('wallet_not_on_device', 'wrong_generation')
    await expect(ask(vault, 'connect', { ...wallet, generation: 2, address: made.address })).rejects.toEqual(
      stale,
    )
    expect(await ask(vault, 'connect', { ...wallet, address: made.address })).toEqual({
      address: made.address,
    })
    await expect(ask(vault, 'connect', { ...wallet, generation: 2, address: made.address })).rejects.toEqual(
      stale,
    )
  })

  it('finds nothing for another user of the same disk: their share does not open', async () => {
    const disk = emptyDisk()
    const { vault, made } = await created(disk)
    await ask(vault, 'promote', { ...owner, address: made.address })
    await expect(
      ask(vault, 'connect', { ...wallet, userId: 'user_2', address: made.address }),
    ).rejects.toEqual(failure('wallet_not_on_device', 'damaged'))
  })
})

describe('recovering', () => {
  // spec W7.27
  it('makes the same device share on a new device, and both devices sign the same', async () => {
    const first = await created(emptyDisk())
    await ask(first.vault, 'promote', { ...owner, address: first.made.address })
    const second = await newVault(emptyDisk())
    expect(await recoverInto(second, first)).toEqual({ address: first.made.address })
    expect(await signWith(second, first)).toEqual(await signWith(first.vault, first))
  })

  it('checks the address before it writes anything', async () => {
    const honest = await created(emptyDisk())
    const other = await splitEntropy(new Uint8Array(16).fill(3), wallet)
    const disk = emptyDisk()
    const vault = await newVault(disk)
    const vaultKey = await keyOf(vault)
    const seal = (role: 'auth' | 'recovery') =>
      sealToVault(vaultKey, encodeShare(other[role]), honest.contextOf(role))
    await expect(
      ask(vault, 'recover', {
        ...wallet,
        vaultKey,
        address: honest.made.address,
        auth: await seal('auth'),
        recovery: await seal('recovery'),
      }),
    ).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect(disk.records.size).toBe(0)
  })

  it('overwrites no wallet of another address', async () => {
    const disk = emptyDisk()
    const mine = await created(disk)
    await ask(mine.vault, 'promote', { ...owner, address: mine.made.address })
    const before = JSON.stringify([...disk.records])
    const other = await created(emptyDisk())
    await expect(recoverInto(mine.vault, other)).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect(JSON.stringify([...disk.records])).toBe(before)
  })

  it('refuses shares in each other’s place', async () => {
    const first = await created(emptyDisk())
    const vault = await newVault(emptyDisk())
    await expect(
      ask(vault, 'recover', {
        ...wallet,
        vaultKey: await keyOf(vault),
        address: first.made.address,
        auth: await first.release(vault, 'recovery', { role: 'auth' }),
        recovery: await first.release(vault, 'auth', { role: 'recovery' }),
      }),
    ).rejects.toEqual(failure('share_mismatch', 'wrong_role'))
  })

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['an empty object', {}],
    ['a record with a hole', { v: 1, walletId: 'wallet_1', gen: 1 }],
    [
      'a record with an envelope that is none',
      { v: 1, walletId: 'wallet_1', gen: 1, address: '', envelope: 1 },
    ],
  ])('mends a device whose record is %s, and sets the record aside', async (_name, damage) => {
    const first = await created(emptyDisk())
    const disk = emptyDisk()
    disk.records.set('ethereum:committed', damage)
    const vault = await newVault(disk)
    await expect(ask(vault, 'connect', { ...wallet, address: first.made.address })).rejects.toEqual(
      failure('wallet_not_on_device'),
    )
    await recoverInto(vault, first)
    expect(await isSignedBy(first.made.address, 'hello', (await signWith(vault, first)).data)).toBe(true)
    expect([...disk.records.values()]).toContainEqual(damage)
  })

  it('mends a device that lost its key', async () => {
    const disk = emptyDisk()
    const first = await created(disk)
    await ask(first.vault, 'promote', { ...owner, address: first.made.address })
    disk.key = undefined
    const vault = await newVault(disk)
    await expect(ask(vault, 'connect', { ...wallet, address: first.made.address })).rejects.toEqual(
      failure('wallet_not_on_device', 'damaged'),
    )
    await recoverInto(vault, first)
    expect(await ask(vault, 'connect', { ...wallet, address: first.made.address })).toBeTruthy()
  })

  it.each<[string, () => unknown]>([
    ['is no key', () => ({ algorithm: { name: 'AES-GCM' }, extractable: false })],
    [
      'could be exported',
      () => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']),
    ],
    [
      'is for something else',
      () => crypto.subtle.generateKey({ name: 'AES-CTR', length: 256 }, false, ['encrypt']),
    ],
  ])('writes nothing under a device key that %s', async (_name, plant) => {
    const first = await created(emptyDisk())
    const disk = { ...emptyDisk(), key: await plant() }
    await expect(recoverInto(await newVault(disk), first)).rejects.toEqual(
      failure('device_storage_unavailable'),
    )
    expect(disk.records.size).toBe(0)
  })

  it('leaves the bytes of a newer version alone, and says so', async () => {
    const first = await created(emptyDisk())
    const envelope = { v: 2, something: 'new' }
    const newer: unknown[] = [
      { v: 2, whatever: true },
      { v: 1, walletId: 'wallet_1', gen: 1, address: first.made.address, envelope },
    ]
    for (const record of newer) {
      const disk = emptyDisk()
      disk.records.set('ethereum:committed', record)
      const vault = await newVault(disk)
      const unknown = failure('envelope_unknown_version')
      await expect(ask(vault, 'connect', { ...wallet, address: first.made.address })).rejects.toEqual(unknown)
      await expect(recoverInto(vault, first)).rejects.toEqual(unknown)
      await expect(signWith(vault, first)).rejects.toEqual(unknown)
      expect([...disk.records]).toEqual([['ethereum:committed', record]])
    }
  })
})

describe('signing', () => {
  const disk = emptyDisk()

  it('is refused for each thing that is not what it says it is', async () => {
    const mine = await created(disk)
    await ask(mine.vault, 'promote', { ...owner, address: mine.made.address })
    const { vault, made, contextOf, kept, release } = mine
    const vaultKey = await keyOf(vault)
    const good = {
      ...wallet,
      vaultKey,
      address: made.address,
      auth: await release(vault, 'auth'),
      request: { method: 'personal_sign' as const, params: ['hello', made.address] as [string, string] },
    }
    const sealAuth = (bytes: Uint8Array<ArrayBuffer>) => sealToVault(vaultKey, bytes, contextOf('auth'))
    const elsewhere = await evmAddressOf(new Uint8Array(16))
    const otherVault = await newVault(emptyDisk())
    const flipped = kept.auth.map((byte, index) => (index === kept.auth.length - 1 ? byte ^ 1 : byte))
    const xZero = kept.auth.map((byte, index) => (index === 2 ? 0 : byte))
    const oldVersion = kept.auth.map((byte, index) => (index === 0 ? 7 : byte))

    const refused: [Partial<typeof good>, unknown][] = [
      [{ vaultKey: await keyOf(otherVault) }, failure('vault_key_unknown')],
      [{ auth: await release(otherVault, 'auth') }, failure('envelope_refused', 'not_authentic')],
      [{ auth: await release(vault, 'auth', { userId: 'user_2' }) }, failure('envelope_refused')],
      [{ auth: await release(vault, 'auth', { address: elsewhere }) }, failure('envelope_refused')],
      [{ auth: await release(vault, 'recovery') }, failure('envelope_refused')],
      [{ auth: await sealAuth(kept.recovery) }, failure('share_mismatch', 'wrong_role')],
      [{ auth: await sealAuth(flipped) }, failure('share_mismatch', 'wrong_address')],
      [{ auth: await sealAuth(xZero) }, failure('share_malformed', 'x_is_zero')],
      [{ auth: await sealAuth(oldVersion) }, failure('share_unknown_version', 'unknown_version')],
      [{ auth: await sealAuth(kept.auth.slice(0, -1)) }, failure('share_malformed', 'too_short')],
      [{ walletId: 'wallet_2' }, failure('share_mismatch', 'wrong_wallet')],
      [{ generation: 2 }, failure('wallet_not_on_device', 'wrong_generation')],
      [
        { address: elsewhere, request: { ...good.request, params: ['hello', elsewhere] } },
        failure('share_mismatch'),
      ],
      [{ request: { ...good.request, params: ['hello', elsewhere] } }, failure('invalid_request_arguments')],
      [{ request: { ...good.request, params: ['', made.address] } }, failure('invalid_request_arguments')],
      [{ request: { ...good.request, params: ['0x1', made.address] } }, failure('invalid_request_arguments')],
    ]
    for (const [change, expected] of refused) {
      await expect(ask(vault, 'sign', { ...good, ...change })).rejects.toEqual(expected)
    }
    expect((await ask(vault, 'sign', good)).data).toMatch(/^0x[0-9a-f]{130}$/)
  })
})

describe('what the vault is asked', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an unknown operation', { operation: 'exportKey', input: {} }],
    ['a name of the language', { operation: 'constructor', input: {} }],
    ['a prototype', { operation: '__proto__', input: {} }],
    ['a field too many', { operation: 'publicKey', input: {}, also: 1 }],
    ['an input with a field too many', { operation: 'publicKey', input: { also: 1 } }],
    ['a create without a key', { operation: 'create', input: wallet }],
    [
      'an app id of the wrong length',
      { operation: 'connect', input: { ...wallet, appId: 'a', address: `0x${'0'.repeat(40)}` } },
    ],
  ])('is refused when it is %s', async (_name, request) => {
    const vault = await newVault(emptyDisk())
    expect(await vault.call(request)).toEqual({ ok: false, error: failure('invalid_request_arguments') })
  })

  it('is answered with a plain value, whatever it is', async () => {
    const vault = await newVault(emptyDisk())
    const operations = fc.constantFrom('publicKey', 'create', 'promote', 'connect', 'recover', 'sign')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.record({ operation: operations, input: fc.anything() })),
        async (request) => {
          const answer = await vault.call(request)
          expect(structuredClone(answer)).toEqual(answer)
        },
      ),
    )
  })

  it('gets errors that carry a code, a sentence and a reason, and nothing of what went wrong inside', async () => {
    const vault = await createVault({
      openDatabase: () => {
        throw new Error('secret detail')
      },
    })
    const answer = await vault.call({
      operation: 'connect',
      input: { ...wallet, address: `0x${'0'.repeat(40)}` },
    })
    expect(answer).toEqual({ ok: false, error: { code: 'error', message: 'The vault could not do this' } })
  })

  it('keeps each user of each app apart by the name of the database', async () => {
    const { databaseName } = await import('./indexed-db.ts')
    expect(databaseName(owner)).toBe(`${product.key}:vault:${appId}:user_1`)
  })
})
