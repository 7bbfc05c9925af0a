import { LatchkeyError } from '@latchkey/protocol'
import { walletProofDigest } from '@latchkey/protocol/wallet'
import { recoverAddress, verifyMessage } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { helloDigest } from '../testing/digests.ts'
import { emptyDisk, type MemoryDisk, memoryDatabase } from '../testing/memory-database.ts'
import { sealToVault } from '../testing/server/sealing-server.ts'
import {
  ask,
  beginIn,
  creation,
  line,
  newVault,
  recoverIn,
  server,
  signIn,
  testWallet,
} from '../testing/test-wallet.ts'
import type { DeviceDatabase } from './device/store.ts'
import { deriveEvmAddress } from './keys/derivation.ts'
import { splitSecret } from './shares/shamir.ts'
import { decodeShare, encodeShare } from './shares/share.ts'
import { createVault } from './vault.ts'

type Hex = `0x${string}`
const failure = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason && { details: { reason } }) })
const isSignedBy = async (address: string, signature: string) =>
  verifyMessage({ address: address as Hex, message: 'hello', signature: signature as Hex })
const elsewhere = await deriveEvmAddress(new Uint8Array(16))

describe('creating a wallet', () => {
  it("makes a proof that is signed by the wallet's own key", async () => {
    const { made, wallet } = await testWallet(emptyDisk())
    const { auth: authShare, recovery } = made
    const proven = { ...wallet, authShare, recovery }
    const prover = async (about: typeof proven) =>
      recoverAddress({ hash: await walletProofDigest(about), signature: made.proof as Hex })
    expect(await prover(proven)).toBe(made.address)
    const another = { ...authShare, ct: recovery.method === 'latchkey' ? recovery.share.ct : '' }
    expect(await prover({ ...proven, authShare: another })).not.toBe(made.address)
    for (const other of [{ userId: 'user_2' }, { walletId: 'wallet_2' }, { appId: 'b'.repeat(25) }]) {
      expect(await prover({ ...proven, ...other } as typeof proven)).not.toBe(made.address)
    }
  })

  it('gives the server two shares that restore the wallet, each bound to its role', async () => {
    const entropy = new Uint8Array(16).fill(5)
    const { made, stored, contextOf } = await testWallet(emptyDisk(), entropy)
    expect(made.address).toBe(await deriveEvmAddress(entropy))
    expect(decodeShare(stored.auth, contextOf('auth')).role).toBe('auth')
    expect(decodeShare(stored.recovery, contextOf('recovery')).role).toBe('recovery')
    await expect(server.open(made.auth, contextOf('recovery'))).rejects.toThrow()
  })

  it('returns nothing from which the key could be derived', async () => {
    const entropy = new Uint8Array(16).map((_, index) => index + 0x41)
    const disk = emptyDisk()
    const { made, stored } = await testWallet(disk, entropy)
    const told = JSON.stringify([made, [...disk.records]])
    for (const secret of [entropy, stored.auth, stored.recovery]) {
      const buffer = Buffer.from(secret)
      for (const form of [buffer.toString('hex'), buffer.toString('base64url'), buffer.toString('base64')]) {
        expect(told).not.toContain(form.replace(/=+$/, ''))
      }
    }
  })

  it('zeroes the entropy, on success and on failure', async () => {
    const entropies = [1, 2].map((byte) => new Uint8Array(16).fill(byte))
    const drawn = [...entropies]
    const vault = createVault({
      openDatabase: () => memoryDatabase(emptyDisk()),
      clock: testClock(),
      randomEntropy: () => drawn.shift() ?? new Uint8Array(16),
    })
    const create = (publicKey: string) =>
      ask(vault, 'create', { ...creation, serverKey: { id: 'k', publicKey } })
    await create(server.key.publicKey)
    await expect(create('A'.repeat(87))).rejects.toThrow()
    expect(entropies).toEqual([new Uint8Array(16), new Uint8Array(16)])
  })

  it('fails if this device has a wallet of another address, and overwrites nothing', async () => {
    const disk = emptyDisk()
    const first = await testWallet(disk)
    await first.adopt()
    const before = JSON.stringify([...disk.records])
    await expect(testWallet(disk)).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect(JSON.stringify([...disk.records])).toBe(before)
  })

  it.each([
    [{ kind: 'imported-key', chain: 'solana' }, 'not_supported'],
    // The kind is an imported key, but the secret is entropy.
    [{ kind: 'imported-key' }, 'share_malformed'],
  ] as const)('fails if no address can be derived: %j', async (other, code) => {
    const disk = emptyDisk()
    const create = ask(newVault(disk), 'create', { ...creation, line: { ...line, ...other } })
    await expect(create).rejects.toMatchObject({ code })
    expect(disk.records.size).toBe(0)
  })

  it('fails if the share that it wrote does not read back', async () => {
    const database = memoryDatabase(emptyDisk())
    const vault = createVault({
      // A disk that loses acknowledged writes.
      openDatabase: () => ({
        ...database,
        change: (decide) => database.change((records) => ({ result: decide(records).result })),
      }),
      clock: testClock(),
    })
    await expect(ask(vault, 'create', creation)).rejects.toEqual(failure('device_storage_unavailable'))
  })
})

describe('a disk that loses or refuses a write', () => {
  const vaultOn = (change: DeviceDatabase['change'], disk: MemoryDisk, entropy?: Uint8Array<ArrayBuffer>) =>
    createVault({
      openDatabase: () => ({ ...memoryDatabase(disk), change }),
      clock: testClock(),
      ...(entropy && { randomEntropy: () => entropy.slice() }),
    })

  it('fails a creation, even with the share of an earlier attempt', async () => {
    const entropy = new Uint8Array(16).fill(5)
    const disk = emptyDisk()
    await testWallet(disk, entropy)
    const { change } = memoryDatabase(disk)
    const forgetful = vaultOn(
      (decide) => change((records) => ({ result: decide(records).result })),
      disk,
      entropy,
    )
    await expect(ask(forgetful, 'create', creation)).rejects.toEqual(
      failure('share_mismatch', 'wrong_address'),
    )
  })

  it('fails a recovery at its end, which can then be repeated', async () => {
    const made = await testWallet(emptyDisk())
    const disk = emptyDisk()
    const { change } = memoryDatabase(disk)
    const full: DeviceDatabase['change'] = (decide) =>
      change((records) => {
        const decided = decide(records)
        if (Object.keys(decided.put ?? {}).some((key) => key.startsWith('committed:'))) {
          throw new LatchkeyError('device_storage_unavailable', 'The disk is full')
        }
        return decided
      })
    await expect(recoverIn(vaultOn(full, disk), made)).rejects.toEqual(failure('device_storage_unavailable'))
    expect(await recoverIn(newVault(disk), made)).toEqual({ address: made.wallet.address })
  })
})

describe('adopting a wallet', () => {
  it("promotes the share of the server's wallet, and may be repeated", async () => {
    const disk = emptyDisk()
    const made = await testWallet(disk)
    expect([...disk.records.keys()]).toEqual([`pending:wallet_1:1:${made.wallet.address}`])
    const next = newVault(disk)
    for (const _time of [1, 2]) {
      expect(await ask(next, 'adopt', { wallet: made.wallet })).toEqual({ address: made.wallet.address })
      expect([...disk.records.keys()]).toEqual(['committed:wallet_1:1'])
    }
    expect(await isSignedBy(made.wallet.address, (await signIn(next, made)).data)).toBe(true)
  })

  it('deletes the share that lost the race', async () => {
    const disk = emptyDisk()
    const loser = await testWallet(disk)
    const winner = await testWallet(disk)
    await winner.adopt()
    await expect(loser.adopt()).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect([...disk.records.keys()]).toEqual(['committed:wallet_1:1'])
  })

  // spec W7.26
  it('fails with wallet_not_on_device on a device without the share', async () => {
    const { wallet } = await testWallet(emptyDisk())
    await expect(ask(newVault(emptyDisk()), 'adopt', { wallet })).rejects.toEqual(
      failure('wallet_not_on_device', 'no_share'),
    )
  })

  it('does not promote a pending share of another address', async () => {
    const { vault, wallet, adopt } = await testWallet(emptyDisk())
    await expect(ask(vault, 'adopt', { wallet: { ...wallet, address: elsewhere } })).rejects.toEqual(
      failure('wallet_not_on_device', 'no_share'),
    )
    await adopt()
  })

  it('fails if the device has another wallet than the server names', async () => {
    const { vault, wallet, adopt } = await testWallet(emptyDisk())
    await adopt()
    for (const address of [elsewhere, wallet.address.toLowerCase()]) {
      await expect(ask(vault, 'adopt', { wallet: { ...wallet, address } })).rejects.toEqual(
        failure('share_mismatch', 'wrong_address'),
      )
    }
  })

  it('accepts no wallet with another ID and address, even if a malicious server names it', async () => {
    const disk = emptyDisk()
    const mine = await testWallet(disk)
    await mine.adopt()
    const others = await testWallet(emptyDisk())
    const about = { walletId: 'wallet_2' }
    const named = { ...others, wallet: { ...others.wallet, ...about } }
    const refused = failure('share_mismatch', 'wrong_address')
    await expect(ask(mine.vault, 'adopt', { wallet: named.wallet })).rejects.toEqual(refused)
    const line2 = { ...line, ...about }
    await expect(ask(mine.vault, 'create', { ...creation, line: line2 })).rejects.toEqual(refused)
    expect([...disk.records.keys()]).toEqual(['committed:wallet_1:1'])
    expect(await mine.adopt()).toEqual({ address: mine.wallet.address })
  })

  it('fails on a device with a share of an earlier generation, which must recover', async () => {
    const { vault, wallet, adopt } = await testWallet(emptyDisk())
    await adopt()
    await expect(ask(vault, 'adopt', { wallet: { ...wallet, generation: 2 } })).rejects.toEqual(
      failure('wallet_not_on_device', 'wrong_generation'),
    )
    expect(await adopt()).toEqual({ address: wallet.address })
  })

  it('finds nothing for another user of the same disk, whose share does not open', async () => {
    const { vault, wallet, adopt } = await testWallet(emptyDisk())
    await adopt()
    await expect(ask(vault, 'adopt', { wallet: { ...wallet, userId: 'user_2' } })).rejects.toEqual(
      failure('wallet_not_on_device', 'damaged'),
    )
  })
})

describe('recovering a wallet', () => {
  // spec W7.27
  it('restores the same device share on a new device, and both devices sign the same', async () => {
    const first = await testWallet(emptyDisk())
    const second = newVault(emptyDisk())
    expect(await recoverIn(second, first)).toEqual({ address: first.wallet.address })
    expect(await signIn(second, first)).toEqual(await signIn(first.vault, first))
  })

  it('checks the address before it writes anything', async () => {
    const honest = await testWallet(emptyDisk())
    const other = await splitSecret(new Uint8Array(16).fill(3), line)
    const disk = emptyDisk()
    const vault = newVault(disk)
    const { operation, publicKey } = await beginIn(vault)
    const seal = (role: 'auth' | 'recovery') =>
      sealToVault(publicKey, encodeShare(other[role]), honest.contextOf(role), operation)
    const shares = { auth: await seal('auth'), recovery: await seal('recovery') }
    await expect(ask(vault, 'recover', { wallet: honest.wallet, operation, ...shares })).rejects.toEqual(
      failure('share_mismatch', 'wrong_address'),
    )
    expect(disk.records.size).toBe(0)
  })

  it('overwrites no wallet of another address', async () => {
    const disk = emptyDisk()
    const mine = await testWallet(disk)
    await mine.adopt()
    const before = JSON.stringify([...disk.records])
    const other = await testWallet(emptyDisk())
    await expect(recoverIn(mine.vault, other)).rejects.toEqual(failure('share_mismatch', 'wrong_address'))
    expect(JSON.stringify([...disk.records])).toBe(before)
  })

  it('refuses swapped shares', async () => {
    const { wallet, release } = await testWallet(emptyDisk())
    const vault = newVault(emptyDisk())
    const begun = await beginIn(vault)
    await expect(
      ask(vault, 'recover', {
        wallet,
        operation: begun.operation,
        auth: await release(begun, 'recovery', { role: 'auth' }),
        recovery: await release(begun, 'auth', { role: 'recovery' }),
      }),
    ).rejects.toEqual(failure('share_mismatch', 'wrong_role'))
  })

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['an empty object', {}],
    ['a record with a hole', { v: 1, address: elsewhere }],
    ['a record with an envelope that is none', { v: 1, address: elsewhere, envelope: 1 }],
    ['a record of another shape', { v: 1, address: '', envelope: {} }],
  ])('repairs a device whose record is %s, and sets the record aside', async (_name, damage) => {
    const first = await testWallet(emptyDisk())
    const record = JSON.parse(JSON.stringify(damage).replace(elsewhere, first.wallet.address))
    const disk = emptyDisk()
    disk.records.set('committed:wallet_1:1', record)
    const vault = newVault(disk)
    await expect(ask(vault, 'adopt', { wallet: first.wallet })).rejects.toEqual(
      failure('wallet_not_on_device'),
    )
    await recoverIn(vault, first)
    expect(await isSignedBy(first.wallet.address, (await signIn(vault, first)).data)).toBe(true)
    expect([...disk.records.values()]).toContainEqual(record)
  })

  it('repairs a device that lost its record key', async () => {
    const disk = emptyDisk()
    const first = await testWallet(disk)
    await first.adopt()
    disk.key = undefined
    const vault = newVault(disk)
    await expect(ask(vault, 'adopt', { wallet: first.wallet })).rejects.toEqual(
      failure('wallet_not_on_device', 'damaged'),
    )
    await recoverIn(vault, first)
    expect(await ask(vault, 'adopt', { wallet: first.wallet })).toBeTruthy()
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
  ])('writes nothing under a record key that %s', async (_name, plant) => {
    const first = await testWallet(emptyDisk())
    const disk = { ...emptyDisk(), key: await plant() }
    await expect(recoverIn(newVault(disk), first)).rejects.toEqual(failure('device_storage_unavailable'))
    expect(disk.records.size).toBe(0)
  })

  it('uses a pending share that opens if the committed one does not', async () => {
    const disk = emptyDisk()
    const first = await testWallet(disk)
    await first.adopt()
    const pending = `pending:wallet_1:1:${first.wallet.address}`
    disk.key = undefined
    const good = emptyDisk()
    const vault = newVault(good)
    await recoverIn(vault, first)
    disk.key = good.key
    disk.records.set(pending, good.records.get('committed:wallet_1:1'))
    expect(await ask(newVault(disk), 'adopt', { wallet: first.wallet })).toEqual({
      address: first.wallet.address,
    })
    expect([...disk.records]).toEqual([...good.records])
  })

  it('keeps a record of a newer version, and reports it', async () => {
    const first = await testWallet(emptyDisk())
    const newer: unknown[] = [
      { v: 2, whatever: true },
      { v: 1, address: first.wallet.address, envelope: { v: 2, something: 'new' } },
    ]
    for (const record of newer) {
      const disk = emptyDisk()
      disk.records.set('committed:wallet_1:1', record)
      const vault = newVault(disk)
      const unknown = failure('envelope_unknown_version')
      await expect(ask(vault, 'adopt', { wallet: first.wallet })).rejects.toEqual(unknown)
      await expect(recoverIn(vault, first)).rejects.toEqual(unknown)
      await expect(signIn(vault, first)).rejects.toEqual(unknown)
      expect([...disk.records]).toEqual([['committed:wallet_1:1', record]])
    }
  })
})

describe('an aborted call', () => {
  it.each(['sign', 'recover', 'create'] as const)('of %s signs and writes nothing more', async (name) => {
    const mine = await testWallet(emptyDisk())
    await mine.adopt()
    const disk = emptyDisk()
    const vault = name === 'sign' ? mine.vault : newVault(disk)
    const begun = await beginIn(vault)
    const shares = {
      auth: await mine.release(begun, 'auth', {}, name === 'sign' ? helloDigest : null),
      recovery: await mine.release(begun, 'recovery'),
    }
    const { wallet } = mine
    const { operation } = begun
    const inputs = {
      sign: { wallet, operation, auth: shares.auth, request: personalSignOf(wallet.address) },
      recover: { wallet, operation, ...shares },
      create: creation,
    }
    const asked = vault.call({ id: 'mine', name, input: inputs[name] })
    await ask(vault, 'stop', { call: 'mine' })
    expect(await asked).toMatchObject({ ok: false, error: { code: 'call_cancelled' } })
    expect(disk.records.size).toBe(0)
  })

  const personalSignOf = (address: string) => ({
    method: 'personal_sign' as const,
    params: ['hello', address] as [string, string],
  })
})
