import type { ShareKind } from '@latchkey/protocol/wallet'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyDisk, type MemoryDisk, memoryDatabase } from '../../testing/memory-database.ts'
import { type TabLife, tabLife } from '../../testing/tab-life.ts'
import { sealEnvelope } from '../shares/envelope.ts'
import type { Share } from '../shares/share.ts'
import { createDeviceStore, type DeviceStore, type DeviceWallet } from './store.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const elsewhere = '0x52908400098527886E0F7030069857D2E4169EE7'
const first: DeviceWallet = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
  address,
}
const second: DeviceWallet = { ...first, generation: 2 }
const shareOf = ({ walletId, kind, chain, generation }: DeviceWallet, byte: number): Share => ({
  walletId,
  kind,
  chain,
  generation,
  role: 'device',
  y: new Uint8Array(16).fill(byte),
})
const failure = (code: string, reason: string) => expect.objectContaining({ code, details: { reason } })

let disk: MemoryDisk
let store: DeviceStore
const keys = () => [...disk.records.keys()].sort()
const byteOf = async (wallet: DeviceWallet) => (await store.read(wallet)).y[0]

beforeEach(() => {
  disk = emptyDisk()
  store = createDeviceStore(memoryDatabase(disk))
})

describe('a share on the device', () => {
  it('is found by wallet and generation, and its address keeps its case', async () => {
    await store.writePending(shareOf(first, 1), first)
    expect(keys()).toEqual([`pending:wallet_1:1:${address}`])
    await store.promote(first)
    expect(keys()).toEqual(['committed:wallet_1:1'])
    expect(disk.records.get('committed:wallet_1:1')).toEqual({ v: 1, address, envelope: expect.any(Object) })
    expect(await byteOf(first)).toBe(1)
  })

  it('of another chain is stored next to it, because each chain has its own address', async () => {
    const solana: DeviceWallet = {
      ...first,
      walletId: 'wallet_2',
      chain: 'solana',
      address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    }
    for (const [wallet, byte] of [
      [first, 1],
      [solana, 2],
    ] as const) {
      await store.writePending(shareOf(wallet, byte), wallet)
      await store.promote(wallet)
    }
    expect(keys()).toEqual(['committed:wallet_1:1', 'committed:wallet_2:1'])
    expect([await byteOf(first), await byteOf(solana)]).toEqual([1, 2])
  })

  it('is promoted by the next reader if the tab that wrote it died', async () => {
    await store.writePending(shareOf(first, 1), first)
    expect(await byteOf(first)).toBe(1)
    expect(keys()).toEqual(['committed:wallet_1:1'])
  })

  it.each([
    ['wallet', { walletId: 'wallet_2' }, 'no_share'],
    ['generation', { generation: 2 }, 'wrong_generation'],
    ['user', { userId: 'user_2' }, 'damaged'],
    ['app', { appId: 'b'.repeat(25) }, 'damaged'],
    ['kind', { kind: 'imported-key' satisfies ShareKind }, 'damaged'],
    ['chain', { chain: 'solana' }, 'damaged'],
  ] as const)('is not found for another %s', async (_name, other, reason) => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    await expect(store.read({ ...first, ...other })).rejects.toEqual(failure('wallet_not_on_device', reason))
    expect(await byteOf(first)).toBe(1)
  })

  it.each([elsewhere, address.toLowerCase()])('is not the share of the address %s', async (other) => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    await expect(store.read({ ...first, address: other })).rejects.toEqual(
      failure('share_mismatch', 'wrong_address'),
    )
    expect(await byteOf(first)).toBe(1)
  })

  it.each([
    ['user', { userId: 'user_2' }],
    ['app', { appId: 'b'.repeat(25) }],
  ] as const)('that is pending is not promoted for another %s', async (_name, other) => {
    await store.writePending(shareOf(first, 1), first)
    await expect(store.read({ ...first, ...other })).rejects.toEqual(
      failure('wallet_not_on_device', 'damaged'),
    )
    expect(keys()).toEqual([`pending:wallet_1:1:${address}`])
    expect(await byteOf(first)).toBe(1)
  })

  it('is promoted once: again is harmless, and without a share the promotion fails', async () => {
    await expect(store.promote(first)).rejects.toEqual(failure('wallet_not_on_device', 'no_share'))
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    await store.promote(first)
    expect(keys()).toEqual(['committed:wallet_1:1'])
    expect(await byteOf(first)).toBe(1)
  })

  it('reads back as it was written, even if another tab has promoted it', async () => {
    const lost = expect.objectContaining({ code: 'device_storage_unavailable' })
    await expect(store.readBack(first)).rejects.toEqual(lost)
    await store.writePending(shareOf(first, 1), first)
    expect(await store.readBack(first)).toEqual(shareOf(first, 1))
    await store.promote(first)
    expect(await store.readBack(first)).toEqual(shareOf(first, 1))
  })

  it('with malformed stored bytes is damaged, and the pending share is used instead', async () => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    const committed = disk.records.get('committed:wallet_1:1') as { envelope: object }
    for (const wrong of [{ nonce: 'AAAA' }, { ct: 'AAAA' }, { gen: 2 }]) {
      const envelope = { ...committed.envelope, ...wrong }
      disk.records.set('committed:wallet_1:1', { ...committed, envelope })
      await expect(store.read(first)).rejects.toEqual(failure('wallet_not_on_device', 'damaged'))
    }
    await store.writePending(shareOf(first, 2), first)
    expect(await byteOf(first)).toBe(2)
  })

  it('with a valid envelope but an invalid share is damaged', async () => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    if (!(disk.key instanceof CryptoKey)) throw new Error('The device has no key')
    const envelope = await sealEnvelope(disk.key, new Uint8Array([1, 0]), { ...first, role: 'device' })
    disk.records.set('committed:wallet_1:1', { v: 1, address, envelope })
    await expect(store.read(first)).rejects.toEqual(failure('wallet_not_on_device', 'damaged'))
  })

  it.each([
    ['a field too many', { also: 1 }],
    ['an address that is none', { address: '0x1' }],
  ])('with a record that has %s is not read, even if its envelope would open', async (_name, part) => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    const committed = disk.records.get('committed:wallet_1:1') as object
    disk.records.set('committed:wallet_1:1', { ...committed, ...part })
    await expect(store.read(first)).rejects.toMatchObject({ code: 'wallet_not_on_device' })
    disk.records.set('committed:wallet_1:1', committed)
    expect(await byteOf(first)).toBe(1)
  })

  it('is not returned if its promotion failed', async () => {
    await store.writePending(shareOf(first, 1), first)
    const database = memoryDatabase(disk)
    let changes = 0
    const full = createDeviceStore({
      ...database,
      change: async (decide) => {
        changes += 1
        if (changes === 2) throw new Error('The disk is full')
        return database.change(decide)
      },
    })
    await expect(full.read(first)).rejects.toThrow('The disk is full')
    expect(keys()).toEqual([`pending:wallet_1:1:${address}`])
    expect((await full.read(first)).y[0]).toBe(1)
  })

  it.each([
    ['no key', 'key', false],
    ['a key for something else', 'AES-CBC', false],
    ['a key that could leave this browser', 'AES-GCM', true],
  ])('is not reported as damaged if the device has %s', async (_name, name, extractable) => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    const stored = disk.key
    disk.key =
      name === 'key'
        ? name
        : await crypto.subtle.generateKey({ name, length: 256 }, extractable, ['encrypt', 'decrypt'])
    await expect(store.read(first)).rejects.toMatchObject({ code: 'device_storage_unavailable' })
    expect(keys()).toEqual(['committed:wallet_1:1'])
    disk.key = stored
    expect(await byteOf(first)).toBe(1)
  })

  it('does not open under the record key of another generation', async () => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    disk.records.set('committed:wallet_1:2', disk.records.get('committed:wallet_1:1'))
    await expect(store.read(second)).rejects.toEqual(failure('wallet_not_on_device', 'damaged'))
  })
})

describe('a new generation', () => {
  beforeEach(async () => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    await store.writePending(shareOf(second, 2), second)
  })

  it('is stored next to the committed one, which is kept until the commit', async () => {
    expect(keys()).toEqual(['committed:wallet_1:1', `pending:wallet_1:2:${address}`])
    expect(await byteOf(first)).toBe(1)
    expect(keys()).toHaveLength(2)
    await store.promote(second)
    expect(keys()).toEqual(['committed:wallet_1:2'])
    expect(await byteOf(second)).toBe(2)
  })

  it('is found if the tab died before it could promote it', async () => {
    expect(await byteOf(second)).toBe(2)
    expect(keys()).toEqual(['committed:wallet_1:2'])
  })

  it('keeps the shares of other wallets, of any generation', async () => {
    const other = { ...first, walletId: 'wallet_2' }
    await store.writePending(shareOf(other, 1), other)
    await store.promote(second)
    expect(keys()).toEqual(['committed:wallet_1:2', `pending:wallet_2:1:${address}`])
  })

  it('is not deleted when the old one is promoted again', async () => {
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    expect(keys()).toEqual(['committed:wallet_1:1', `pending:wallet_1:2:${address}`])
    expect(await byteOf(second)).toBe(2)
  })

  it('does not overwrite a record of a newer version', async () => {
    const newer = { v: 2, anything: 'else' }
    disk.records.set(`pending:wallet_1:2:${address}`, newer)
    const refused = failure('envelope_unknown_version', 'unknown_version')
    await expect(store.writePending(shareOf(second, 2), second)).rejects.toEqual(refused)
    await expect(store.promote(second)).rejects.toEqual(refused)
    expect(disk.records.get(`pending:wallet_1:2:${address}`)).toEqual(newer)
  })

  it('is not deleted if the server, restored from a backup, commits the old one again', async () => {
    await store.promote(second)
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    expect(keys()).toEqual(['committed:wallet_1:1', 'committed:wallet_1:2'])
    expect(await byteOf(first)).toBe(1)
    expect(await byteOf(second)).toBe(2)
  })

  it('cannot have another address', async () => {
    const other = { ...second, address: elsewhere }
    const refused = failure('share_mismatch', 'wrong_address')
    await expect(store.writePending(shareOf(other, 3), other)).rejects.toEqual(refused)
    await expect(store.promote(other)).rejects.toEqual(refused)
    expect(await byteOf(first)).toBe(1)
  })

  it('keeps an old record that a newer version wrote', async () => {
    const newer = { v: 2, anything: 'else' }
    disk.records.set('committed:wallet_1:1', newer)
    await store.promote(second)
    expect(disk.records.get('committed:wallet_1:1')).toEqual(newer)
    expect(await byteOf(second)).toBe(2)
  })
})

it('sets unreadable records aside, each under its own name, and never overwrites them', async () => {
  const broken = [{ v: 1, half: 'written' }, 'nonsense']
  for (const record of broken) {
    disk.records.set('committed:wallet_1:1', record)
    await store.writePending(shareOf(first, 1), first)
    await store.promote(first)
    expect(await byteOf(first)).toBe(1)
  }
  const aside = keys().filter((key) => key.startsWith('damaged:'))
  expect(keys()).toEqual(['committed:wallet_1:1', ...aside])
  expect(aside.map((key) => disk.records.get(key))).toEqual(expect.arrayContaining(broken))
})

it('keeps the generation of the server, old or new, if a tab dies at any step of a change', async () => {
  const undisturbed = tabLife()
  await change(emptyDisk(), undisturbed)
  expect(undisturbed.steps()).toBeGreaterThan(4)
  for (let at = 1; at <= undisturbed.steps(); at++) {
    for (const when of ['before it', 'after it'] as const) {
      const dying = tabLife({ at, when })
      disk = emptyDisk()
      store = createDeviceStore(memoryDatabase(disk))
      await store.writePending(shareOf(first, 1), first)
      await store.promote(first)
      const server = { generation: 1 }
      await expect(change(disk, dying, server)).rejects.toThrow()
      expect(await byteOf({ ...first, generation: server.generation })).toBe(server.generation)
    }
  }

  /** New generation: written, read back, committed by the server, promoted. */
  async function change(on: MemoryDisk, life: TabLife, server = { generation: 1 }) {
    const dying = createDeviceStore(memoryDatabase(on, life))
    await dying.writePending(shareOf(second, 2), second)
    await dying.readBack(second)
    await life.step(() => {
      server.generation = 2
    })
    await dying.promote(second)
  }
})

it('deletes a share that lost the race when the winner is promoted, and keeps others', async () => {
  const loser = { ...first, address: elsewhere }
  const otherWallet = { ...first, walletId: 'wallet_2' }
  for (const wallet of [first, loser, otherWallet]) await store.writePending(shareOf(wallet, 1), wallet)
  await store.promote(first)
  expect(keys()).toEqual(['committed:wallet_1:1', `pending:wallet_2:1:${address}`])
})
