/**
 * The device's shares, encrypted under a key that cannot leave this browser, found by wallet and generation.
 *
 * A share is first `pending`: written, read back and tried by the vault before anybody is told of it. It becomes
 * `committed` when the server has committed its generation, and only then do shares of earlier generations go. A
 * tab that dies at any step leaves something that opens: whatever generation and address the server names, its
 * share is here, committed or pending, or it was never here, and then the other two shares make it anew.
 *
 * A committed share is replaced only by one of the same address; where it does not open any more, a pending one
 * that does is taken. What a newer version wrote is left alone.
 */
import { chainOfAddress, LatchkeyError, walletAddress } from '@latchkey/protocol'
import type { ShareContext } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { wipe, withSecret } from '../keys/secret-bytes.ts'
import { openEnvelope, parseEnvelope, refuseEnvelope, sealEnvelope } from '../shares/envelope.ts'
import { decodeShare, encodeShare, refuseShare, type Share } from '../shares/share.ts'

export type Records = ReadonlyMap<string, unknown>
export type Change<T> = {
  put?: Readonly<Record<string, unknown>>
  remove?: readonly string[]
  result: T
}

/** Where records are kept. The real one is IndexedDB; whatever it answers is parsed here. */
export type DeviceDatabase = {
  /** Keeps the candidate when there is no key yet, and answers the key that is kept. One transaction. */
  readOrStoreKey: (candidate: CryptoKey) => Promise<unknown>
  /** The key that signs for the session of the user, in the place of the one before. */
  writeSigner: (pair: CryptoKeyPair) => Promise<void>
  readSigner: () => Promise<unknown>
  /** Shows all records to `decide` and writes what it says, in one transaction: all or nothing. */
  change: <T>(decide: (records: Records) => Change<T>) => Promise<T>
}

export type DeviceOwner = Pick<ShareContext, 'appId' | 'userId'>
/** A wallet as the server pins it. */
export type DeviceWallet = Omit<ShareContext, 'role'>
export type DeviceStore = ReturnType<typeof createDeviceStore>

const RECORD_VERSION = 1
/** All that is not in the key and not encrypted. The rest of what a share is bound to is in its associated data. */
const recordSchema = v.strictObject({
  v: v.literal(RECORD_VERSION),
  address: walletAddress,
  envelope: v.unknown(),
})
type DeviceRecord = v.InferOutput<typeof recordSchema>

const COMMITTED = 'committed:'
const committedPrefix = ({ walletId }: DeviceWallet) => `${COMMITTED}${walletId}:`
const pendingPrefix = ({ walletId }: DeviceWallet) => `pending:${walletId}:`
const committedKey = (wallet: DeviceWallet) => committedPrefix(wallet) + wallet.generation
const pendingKey = (wallet: DeviceWallet) => `${pendingPrefix(wallet)}${wallet.generation}:${wallet.address}`
const damagedKey = () => `damaged:${crypto.randomUUID()}`
const generationIn = (key: string) => Number(key.split(':')[2])

export function createDeviceStore(database: DeviceDatabase) {
  async function promoted(share: Share, wallet: DeviceWallet): Promise<Share> {
    try {
      await promote(database, wallet)
      return share
    } catch (error) {
      wipe(share.y)
      throw error
    }
  }

  /** What cannot be opened here can be made anew from the other two shares. */
  async function openUnlessDamaged(record: DeviceRecord, wallet: DeviceWallet): Promise<Share | undefined> {
    try {
      return await open(record, wallet)
    } catch (error) {
      if (error instanceof LatchkeyError && isDamage(error)) return undefined
      throw error
    }
  }

  async function open({ envelope }: DeviceRecord, wallet: DeviceWallet): Promise<Share> {
    const context: ShareContext = { ...wallet, role: 'device' }
    const bytes = openEnvelope(await deviceKey(database), envelope, context)
    return withSecret(bytes, (opened) => decodeShare(opened, context))
  }

  return {
    async writePending(share: Share, wallet: DeviceWallet): Promise<void> {
      const key = await deviceKey(database)
      const envelope = await withSecret(encodeShare(share), (bytes) =>
        sealEnvelope(key, bytes, { ...wallet, role: 'device' }),
      )
      const record: DeviceRecord = { v: RECORD_VERSION, address: wallet.address, envelope }
      await database.change((records) => {
        // Both throw where what is there is not ours to replace.
        committedOf(records, wallet)
        recordAt(records, pendingKey(wallet))
        return { put: { [pendingKey(wallet)]: record }, result: undefined }
      })
    },

    /** What was just written, wherever it is by now: another tab may have promoted the same share meanwhile. */
    async readBack(wallet: DeviceWallet): Promise<Share> {
      const record = await database.change((records) => ({
        result: recordAt(records, pendingKey(wallet)) ?? committedOf(records, wallet),
      }))
      if (record) return open(record, wallet)
      throw new LatchkeyError('device_storage_unavailable', 'The share did not read back from this device')
    },

    /**
     * The share of a wallet that the server has committed, opened; else `wallet_not_on_device`. Where the tab that
     * wrote it died before it could promote it, it is promoted here.
     */
    async read(wallet: DeviceWallet): Promise<Share> {
      const found = await database.change((records) => ({ result: find(records, wallet) }))
      if (found.committed) {
        const share = await openUnlessDamaged(found.committed, wallet)
        if (share) return share
      }
      if (found.pending) {
        const share = await openUnlessDamaged(found.pending, wallet)
        if (share) return promoted(share, wallet)
      }
      throw notOnDevice(reasonOf(found))
    },

    promote: (wallet: DeviceWallet): Promise<void> => promote(database, wallet),
  }
}

type Found = {
  committed: DeviceRecord | undefined
  pending: DeviceRecord | undefined
  hasOtherGeneration: boolean
}

const find = (records: Records, wallet: DeviceWallet): Found => ({
  committed: committedOf(records, wallet),
  pending: recordAt(records, pendingKey(wallet)),
  hasOtherGeneration: [...records.keys()].some((key) => key.startsWith(committedPrefix(wallet))),
})

function reasonOf({ committed, pending, hasOtherGeneration }: Found) {
  if (committed || pending) return 'damaged'
  return hasOtherGeneration ? 'wrong_generation' : 'no_share'
}

/** Pending shares of other addresses lost the race for this generation, and go in the same transaction. */
const promote = (database: DeviceDatabase, wallet: DeviceWallet): Promise<void> =>
  database.change((records) => {
    const committed = committedOf(records, wallet)
    const pending = recordAt(records, pendingKey(wallet))
    if (pending === undefined) {
      if (committed === undefined) throw notOnDevice('no_share')
      return { result: undefined }
    }
    const present = records.get(committedKey(wallet))
    const damaged = present !== undefined && committed === undefined
    return {
      put: { [committedKey(wallet)]: pending, ...(damaged && { [damagedKey()]: present }) },
      remove: outlived(records, wallet),
      result: undefined,
    }
  })

/** The records that are useless once this generation is committed. */
const outlived = (records: Records, wallet: DeviceWallet): string[] =>
  [...records].flatMap(([key, stored]) => {
    const isPending = key.startsWith(pendingPrefix(wallet)) && generationIn(key) <= wallet.generation
    const isEarlier = key.startsWith(committedPrefix(wallet)) && generationIn(key) < wallet.generation
    return isPending || (isEarlier && isReadable(stored)) ? [key] : []
  })

/**
 * The committed record, if it can be this wallet's. A record that does not parse says nothing about whose it
 * was: it counts as absent, so that the wallet can be recovered, and is set aside rather than overwritten.
 */
function committedOf(records: Records, wallet: DeviceWallet): DeviceRecord | undefined {
  assertAddressUnchanged(records, wallet)
  return recordAt(records, committedKey(wallet))
}

/**
 * A user has one wallet of a chain, with one address through all its generations: whatever the server says, a device
 * that has used it takes no other in its place.
 */
function assertAddressUnchanged(records: Records, { address }: DeviceWallet): void {
  for (const [key, stored] of records) {
    if (!key.startsWith(COMMITTED) || !isReadable(stored)) continue
    const isOfChain = chainOfAddress(stored.address) === chainOfAddress(address)
    if (isOfChain && stored.address !== address) throw refuseShare('wrong_address')
  }
}

const isReadable = (stored: unknown): stored is DeviceRecord => v.is(recordSchema, stored)

/** Throws for a record of a newer version, its envelope included: that is not ours to touch. */
function recordAt(records: Records, key: string): DeviceRecord | undefined {
  try {
    return parseRecord(records.get(key))
  } catch (error) {
    if (error instanceof LatchkeyError && error.code === 'envelope_malformed') return undefined
    throw error
  }
}

function parseRecord(stored: unknown): DeviceRecord {
  const versioned = v.safeParse(v.looseObject({ v: v.number() }), stored)
  if (!versioned.success) throw refuseEnvelope('malformed')
  if (versioned.output.v !== RECORD_VERSION) throw refuseEnvelope('unknown_version')
  const record = v.safeParse(recordSchema, stored)
  if (!record.success) throw refuseEnvelope('malformed')
  parseEnvelope(record.output.envelope)
  return record.output
}

const isDamage = ({ code }: LatchkeyError) =>
  code === 'envelope_malformed' || code === 'envelope_refused' || code === 'share_malformed'

const notOnDevice = (reason: 'no_share' | 'damaged' | 'wrong_generation') =>
  new LatchkeyError('wallet_not_on_device', 'This device does not hold its share of the wallet', {
    details: { reason },
  })

async function deviceKey(database: DeviceDatabase): Promise<CryptoKey> {
  const candidate = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const stored = await database.readOrStoreKey(candidate)
  if (stored instanceof CryptoKey && stored.algorithm.name === 'AES-GCM' && !stored.extractable) return stored
  throw new LatchkeyError('device_storage_unavailable', "The device's key could not be read")
}
