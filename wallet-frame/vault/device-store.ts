/**
 * The device's share, encrypted under a key that cannot leave this browser.
 *
 * A share is first `pending`: written, read back and tried by the vault before anybody is told that the wallet
 * exists. It becomes `committed` when the server has committed the wallet. A tab that dies at any step leaves
 * something that opens: the committed share if there is one, else the pending share of the address that the
 * server names, else nothing on this device, and then auth and recovery share make it anew.
 *
 * A committed share is replaced only by one of the same address. What a newer version wrote is left alone.
 */
import { evmAddress, id, LatchkeyError, type ShareContext } from '@latchkey/protocol'
import * as v from 'valibot'
import { openEnvelope, parseEnvelope, refuseEnvelope, sealEnvelope } from './envelope.ts'
import { sameAddress } from './evm-address.ts'
import { wipe, withSecret } from './secret-bytes.ts'
import { decodeShare, encodeShare, refuseShare, type Share } from './share.ts'

export type Change<T> = {
  readonly put?: Readonly<Record<string, unknown>>
  readonly remove?: readonly string[]
  readonly result: T
}

/** Where records are kept. The real one is IndexedDB; whatever it answers is parsed here. */
export type DeviceDatabase = {
  /** Keeps the candidate when there is no key yet, and answers the key that is kept. One transaction. */
  readonly keepKey: (candidate: CryptoKey) => Promise<unknown>
  /** Shows all records to `decide` and writes what it says, in one transaction: all or nothing. */
  readonly change: <T>(decide: (records: ReadonlyMap<string, unknown>) => Change<T>) => Promise<T>
}

export type DeviceOwner = Pick<ShareContext, 'appId' | 'userId'>
/** What the server pins of a wallet, as far as a device can hold it. */
export type DeviceWallet = Pick<ShareContext, 'walletId' | 'generation' | 'address'>
export type DeviceStore = ReturnType<typeof createDeviceStore>

const RECORD_VERSION = 1
const COMMITTED = 'ethereum:committed'
const PENDING_PREFIX = 'ethereum:pending:'
const DAMAGED_PREFIX = 'ethereum:damaged:'

const recordSchema = v.strictObject({
  v: v.literal(RECORD_VERSION),
  walletId: id,
  gen: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  address: evmAddress,
  envelope: v.unknown(),
})
type DeviceRecord = v.InferOutput<typeof recordSchema>

export function createDeviceStore(database: DeviceDatabase, owner: DeviceOwner) {
  const contextOf = (record: Omit<DeviceRecord, 'v' | 'envelope'>): ShareContext => ({
    ...owner,
    walletId: record.walletId,
    generation: record.gen,
    role: 'device',
    address: record.address,
  })

  async function open(record: DeviceRecord): Promise<Share> {
    const context = contextOf(record)
    const bytes = openEnvelope(await deviceKey(database), record.envelope, context)
    return withSecret(bytes, (opened) => decodeShare(opened, context))
  }

  return {
    async writePending(share: Share, address: string): Promise<void> {
      const about = { walletId: share.walletId, gen: share.generation, address }
      const key = await deviceKey(database)
      const envelope = await withSecret(encodeShare(share), (bytes) =>
        sealEnvelope(key, bytes, contextOf(about)),
      )
      const record: DeviceRecord = { v: RECORD_VERSION, ...about, envelope }
      await database.change((records) => {
        committedOf(records, address)
        recordFor(records.get(pendingKey(address)), address)
        return { put: { [pendingKey(address)]: record }, result: undefined }
      })
    },

    /** What was just written, wherever it is by now: another tab may have promoted the same share meanwhile. */
    async readBack(address: string): Promise<Share> {
      const record = await database.change((records) => ({
        result: recordFor(records.get(pendingKey(address)), address) ?? committedOf(records, address),
      }))
      if (record === undefined) {
        throw new LatchkeyError('device_storage_unavailable', 'The share did not read back from this device')
      }
      return open(record)
    },

    /** The share of a wallet that is on this device, opened; else `wallet_not_on_device`. */
    async read(wallet: DeviceWallet): Promise<Share> {
      const record = await database.change((records) => ({ result: committedOf(records, wallet.address) }))
      return openOrRecover(() => open(presentOf(record, wallet)))
    },

    /** A wallet that the server committed before this tab could: its pending share is as good, and is promoted. */
    async adopt(wallet: DeviceWallet): Promise<void> {
      const { address } = wallet
      const found = await database.change((records) => ({
        result: {
          committed: committedOf(records, address),
          pending: recordFor(records.get(pendingKey(address)), address),
        },
      }))
      const record = presentOf(found.committed ?? found.pending, wallet)
      const share = await openOrRecover(() => open(record))
      wipe(share.y)
      if (found.committed === undefined) await promote(database, address)
    },

    promote: (address: string): Promise<void> => promote(database, address),
  }
}

/** Pending shares of other addresses lost the race for this user's one wallet, and go in the same transaction. */
const promote = (database: DeviceDatabase, address: string): Promise<void> =>
  database.change((records) => {
    const pending = records.get(pendingKey(address))
    const committed = committedOf(records, address)
    if (pending === undefined) {
      if (committed === undefined) throw notOnDevice('no_share')
      return { result: undefined }
    }
    const record = parseRecord(pending, address)
    parseEnvelope(record.envelope)
    const present = records.get(COMMITTED)
    const damaged = present !== undefined && committed === undefined
    return {
      put: { [COMMITTED]: record, ...(damaged && { [damagedKey()]: present }) },
      remove: [...records.keys()].filter((key) => key.startsWith(PENDING_PREFIX)),
      result: undefined,
    }
  })

/**
 * The committed record, if it can be this wallet's. A record that does not parse says nothing about whose it
 * was: it counts as absent, so that the wallet can be recovered, and is set aside rather than overwritten.
 */
function committedOf(records: ReadonlyMap<string, unknown>, address: string): DeviceRecord | undefined {
  return recordFor(records.get(COMMITTED), address)
}

/** Throws for a record of another address or of a newer version, its envelope included: those are not ours to touch. */
function recordFor(stored: unknown, address: string): DeviceRecord | undefined {
  try {
    const record = parseRecord(stored, address)
    parseEnvelope(record.envelope)
    return record
  } catch (error) {
    if (error instanceof LatchkeyError && error.code === 'envelope_malformed') return undefined
    throw error
  }
}

/** Another device may have changed the recovery method since: then this device's share is of an old line. */
function presentOf(record: DeviceRecord | undefined, wallet: DeviceWallet): DeviceRecord {
  if (record === undefined) throw notOnDevice('no_share')
  if (record.walletId !== wallet.walletId) throw refuseShare('wrong_wallet')
  if (record.gen !== wallet.generation) throw notOnDevice('wrong_generation')
  return record
}

function parseRecord(stored: unknown, address: string): DeviceRecord {
  const versioned = v.safeParse(v.looseObject({ v: v.number() }), stored)
  if (!versioned.success) throw refuseEnvelope('malformed')
  if (versioned.output.v !== RECORD_VERSION) throw refuseEnvelope('unknown_version')
  const record = v.safeParse(recordSchema, stored)
  if (!record.success) throw refuseEnvelope('malformed')
  if (!sameAddress(record.output.address, address)) throw refuseShare('wrong_address')
  return record.output
}

/** What cannot be opened here can be made anew from the other two shares, so the caller is sent to recovery. */
async function openOrRecover(open: () => Promise<Share>): Promise<Share> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof LatchkeyError && isDamage(error)) throw notOnDevice('damaged', error)
    throw error
  }
}

const isDamage = ({ code }: LatchkeyError) =>
  code === 'envelope_malformed' || code === 'envelope_refused' || code === 'share_malformed'

const notOnDevice = (reason: 'no_share' | 'damaged' | 'wrong_generation', cause?: unknown) =>
  new LatchkeyError('wallet_not_on_device', 'This device does not hold its share of the wallet', {
    details: { reason },
    cause,
  })

const pendingKey = (address: string) => `${PENDING_PREFIX}${address.toLowerCase()}`
const damagedKey = () => DAMAGED_PREFIX + crypto.randomUUID()

async function deviceKey(database: DeviceDatabase): Promise<CryptoKey> {
  const candidate = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const kept = await database.keepKey(candidate)
  if (kept instanceof CryptoKey && kept.algorithm.name === 'AES-GCM' && !kept.extractable) return kept
  throw new LatchkeyError('device_storage_unavailable', "The device's key could not be read")
}
