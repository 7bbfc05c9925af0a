/**
 * The device's shares, found by wallet and generation. They are encrypted under a key that cannot leave this
 * browser.
 *
 * A share is first `pending`: the vault writes it, reads it back and tests it before it reports success. It
 * becomes `committed` after the server has committed its generation. Only then are shares of earlier
 * generations deleted. So a tab can die at any step: the share of the generation and address that the server
 * names is pending, committed, or was never stored. In the last case the other two shares restore it.
 *
 * Only a share of the same address replaces a committed share. If the committed share does not open but a
 * pending one does, `read` uses the pending one. Records of a newer version are left unchanged.
 */
import { getChainType, LatchkeyError, walletAddress } from '@latchkey/protocol'
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

/** A store of records. The real one is IndexedDB; this file parses every value that it returns. */
export type DeviceDatabase = {
  /** Stores the candidate if there is no key yet, and returns the stored key. Runs in one transaction. */
  readOrStoreKey: (candidate: CryptoKey) => Promise<unknown>
  /** Stores the signing key of the user's session and replaces the previous one. */
  writeSigner: (pair: CryptoKeyPair) => Promise<void>
  readSigner: () => Promise<unknown>
  /** Passes all records to `decide` and applies its changes, in one transaction. */
  change: <T>(decide: (records: Records) => Change<T>) => Promise<T>
}

export type DeviceOwner = Pick<ShareContext, 'appId' | 'userId'>
/** A wallet as the server pins it. */
export type DeviceWallet = Omit<ShareContext, 'role'>
export type DeviceStore = ReturnType<typeof createDeviceStore>

const RECORD_VERSION = 1
/**
 * The plaintext part of a record besides its key. The associated data binds the rest of the share's context.
 */
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
const parseGeneration = (key: string) => Number(key.split(':')[2])

export function createDeviceStore(database: DeviceDatabase) {
  async function promoteAndReturn(share: Share, wallet: DeviceWallet): Promise<Share> {
    try {
      await promote(database, wallet)
      return share
    } catch (error) {
      wipe(share.y)
      throw error
    }
  }

  /** Returns undefined if the record is damaged, because the other two shares can restore it. */
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
    const bytes = openEnvelope(await getEncryptionKey(database), envelope, context)
    return withSecret(bytes, (opened) => decodeShare(opened, context))
  }

  return {
    async writePending(share: Share, wallet: DeviceWallet): Promise<void> {
      const key = await getEncryptionKey(database)
      const envelope = await withSecret(encodeShare(share), (bytes) =>
        sealEnvelope(key, bytes, { ...wallet, role: 'device' }),
      )
      const record: DeviceRecord = { v: RECORD_VERSION, address: wallet.address, envelope }
      await database.change((records) => {
        // Both throw if a record exists that this call must not replace.
        getCommitted(records, wallet)
        recordAt(records, pendingKey(wallet))
        return { put: { [pendingKey(wallet)]: record }, result: undefined }
      })
    },

    /** Returns the share just written, pending or committed: another tab may have promoted it meanwhile. */
    async readBack(wallet: DeviceWallet): Promise<Share> {
      const record = await database.change((records) => ({
        result: recordAt(records, pendingKey(wallet)) ?? getCommitted(records, wallet),
      }))
      if (record) return open(record, wallet)
      throw new LatchkeyError('device_storage_unavailable', 'The share did not read back from this device')
    },

    /**
     * Returns the device share of a wallet that the server has committed. Promotes a pending share if the tab
     * that wrote it died before it could. Throws `wallet_not_on_device` if no share opens.
     */
    async read(wallet: DeviceWallet): Promise<Share> {
      const stored = await database.change((records) => ({ result: findRecords(records, wallet) }))
      if (stored.committed) {
        const share = await openUnlessDamaged(stored.committed, wallet)
        if (share) return share
      }
      if (stored.pending) {
        const share = await openUnlessDamaged(stored.pending, wallet)
        if (share) return promoteAndReturn(share, wallet)
      }
      throw notOnDevice(getMissingReason(stored))
    },

    promote: (wallet: DeviceWallet): Promise<void> => promote(database, wallet),
  }
}

type WalletRecords = {
  committed: DeviceRecord | undefined
  pending: DeviceRecord | undefined
  hasOtherGeneration: boolean
}

const findRecords = (records: Records, wallet: DeviceWallet): WalletRecords => ({
  committed: getCommitted(records, wallet),
  pending: recordAt(records, pendingKey(wallet)),
  hasOtherGeneration: [...records.keys()].some((key) => key.startsWith(committedPrefix(wallet))),
})

function getMissingReason({ committed, pending, hasOtherGeneration }: WalletRecords) {
  if (committed || pending) return 'damaged'
  return hasOtherGeneration ? 'wrong_generation' : 'no_share'
}

/**
 * Commits the pending share. Deletes pending shares of other addresses, which lost the race, in the same
 * transaction.
 */
const promote = (database: DeviceDatabase, wallet: DeviceWallet): Promise<void> =>
  database.change((records) => {
    const committed = getCommitted(records, wallet)
    const pending = recordAt(records, pendingKey(wallet))
    if (pending === undefined) {
      if (committed === undefined) throw notOnDevice('no_share')
      return { result: undefined }
    }
    const present = records.get(committedKey(wallet))
    const damaged = present !== undefined && committed === undefined
    return {
      put: { [committedKey(wallet)]: pending, ...(damaged && { [damagedKey()]: present }) },
      remove: findObsoleteKeys(records, wallet),
      result: undefined,
    }
  })

/** Returns the keys of records that are obsolete once this generation is committed. */
const findObsoleteKeys = (records: Records, wallet: DeviceWallet): string[] =>
  [...records].flatMap(([key, stored]) => {
    const isPending = key.startsWith(pendingPrefix(wallet)) && parseGeneration(key) <= wallet.generation
    const isOlder = key.startsWith(committedPrefix(wallet)) && parseGeneration(key) < wallet.generation
    return isPending || (isOlder && isReadable(stored)) ? [key] : []
  })

/**
 * Returns the committed record. A record that does not parse counts as absent, so that the wallet can be
 * recovered. `promote` then sets it aside instead of overwriting it.
 */
function getCommitted(records: Records, wallet: DeviceWallet): DeviceRecord | undefined {
  assertAddressUnchanged(records, wallet)
  return recordAt(records, committedKey(wallet))
}

/**
 * Throws if this device has committed another address on the same chain. A user has one wallet per chain,
 * with one address through all generations. The device accepts no other, even if the server names one.
 */
function assertAddressUnchanged(records: Records, { address }: DeviceWallet): void {
  for (const [key, stored] of records) {
    if (!key.startsWith(COMMITTED) || !isReadable(stored)) continue
    const isSameChain = getChainType(stored.address) === getChainType(address)
    if (isSameChain && stored.address !== address) throw refuseShare('wrong_address')
  }
}

const isReadable = (stored: unknown): stored is DeviceRecord => v.is(recordSchema, stored)

/**
 * Returns the record, or undefined if it is malformed. Throws if the record or its envelope has a newer
 * version.
 */
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

async function getEncryptionKey(database: DeviceDatabase): Promise<CryptoKey> {
  const candidate = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  const stored = await database.readOrStoreKey(candidate)
  if (stored instanceof CryptoKey && stored.algorithm.name === 'AES-GCM' && !stored.extractable) return stored
  throw new LatchkeyError('device_storage_unavailable', "The device's key could not be read")
}
