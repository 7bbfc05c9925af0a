/**
 * Parses Solana transactions, legacy and version 0, without the code of the vault. Accepts only the bytes that its own
 * encoder writes for the parsed transaction. https://solana.com/docs/core/transactions
 */
import { walletSizes } from '@latchkey/protocol'
import { base58 } from '@scure/base'

export type ParsedTransaction = {
  /** Null for a legacy message. */
  version: 0 | null
  signatures: Buffer[]
  header: { signers: number; readonlySigners: number; readonlyOthers: number }
  keys: string[]
  lifetime: string
  instructions: { program: number; accounts: number[]; data: Buffer }[]
  lookups: Lookup[]
}
export type Lookup = { table: string; writable: number[]; readable: number[] }

/** Returns undefined unless the bytes are the only encoding of a transaction. */
export function parseTransaction(wire: Buffer): ParsedTransaction | undefined {
  if (wire.length > walletSizes.maxSolanaTransactionBytes) return undefined
  try {
    const parsed = read(new Cursor(wire))
    return isConsistent(parsed) && encodeTransaction(parsed).equals(wire) ? parsed : undefined
  } catch (cause) {
    // The bytes end too early.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

class Cursor {
  #rest: Buffer
  constructor(bytes: Buffer) {
    this.#rest = bytes
  }
  isVersioned = () => this.#rest.readUInt8(0) > 0x7f
  next(size: number): Buffer {
    if (size > this.#rest.length) throw new RangeError('The transaction ends too early')
    const part = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return part
  }
  byte = () => this.next(1).readUInt8()
  key = () => base58.encode(this.next(32))
  size(): number {
    const low = this.byte()
    if (low < 0x80) return low
    const middle = this.byte()
    const high = middle < 0x80 ? 0 : this.byte()
    return (low & 0x7f) | ((middle & 0x7f) << 7) | (high << 14)
  }
  many<T>(one: () => T): T[] {
    const all: T[] = []
    for (let left = this.size(); left > 0; left -= 1) all.push(one())
    return all
  }
  blob = () => this.next(this.size())
  indexes = () => [...this.blob()]
}

function read(from: Cursor): ParsedTransaction {
  const signatures = from.many(() => from.next(64))
  const version = from.isVersioned() ? from.byte() & 0x7f : null
  if (version !== null && version !== 0) throw new RangeError('The version is unknown')
  const header = { signers: from.byte(), readonlySigners: from.byte(), readonlyOthers: from.byte() }
  const keys = from.many(from.key)
  const lifetime = from.key()
  const instructions = from.many(() => ({
    program: from.byte(),
    accounts: from.indexes(),
    data: from.blob(),
  }))
  const lookups =
    version === null
      ? []
      : from.many(() => ({ table: from.key(), writable: from.indexes(), readable: from.indexes() }))
  return { version, signatures, header, keys, lifetime, instructions, lookups }
}

/** https://github.com/anza-xyz/solana-sdk: `sanitize` of both messages. */
function isConsistent({ signatures, header, keys, instructions, lookups }: ParsedTransaction): boolean {
  const { signers, readonlySigners, readonlyOthers } = header
  const all = lookups.reduce((sum, each) => sum + each.writable.length + each.readable.length, keys.length)
  return (
    signatures.length === signers &&
    signers > readonlySigners &&
    keys.length >= signers + readonlyOthers &&
    new Set(keys).size === keys.length &&
    all <= 256 &&
    lookups.every(({ writable, readable }) => writable.length > 0 || readable.length > 0) &&
    instructions.every(
      ({ program, accounts }) =>
        program > 0 && program < keys.length && accounts.every((account) => account < all),
    )
  )
}

const list = (parts: Uint8Array[]) => Buffer.concat([size(parts.length), ...parts])

export const encodeTransaction = (transaction: ParsedTransaction): Buffer =>
  Buffer.concat([list(transaction.signatures), encodeMessage(transaction)])

/** Encodes the part that each signer signs. */
export function encodeMessage({
  version,
  header,
  keys,
  lifetime,
  instructions,
  lookups,
}: Omit<ParsedTransaction, 'signatures'>): Buffer {
  const blob = (bytes: Uint8Array | number[]) => Buffer.concat([size(bytes.length), Buffer.from(bytes)])
  const key = (address: string) => base58.decode(address)
  return Buffer.concat([
    Buffer.from(version === null ? [] : [0x80]),
    Buffer.from([header.signers, header.readonlySigners, header.readonlyOthers]),
    list(keys.map(key)),
    key(lifetime),
    list(
      instructions.map(({ program, accounts, data }) =>
        Buffer.concat([Buffer.from([program]), blob(accounts), blob(data)]),
      ),
    ),
    ...(version === null
      ? []
      : [
          list(
            lookups.map(({ table, writable, readable }) =>
              Buffer.concat([key(table), blob(writable), blob(readable)]),
            ),
          ),
        ]),
  ])
}

/** Encodes a compact-u16. */
function size(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value])
  if (value < 0x4000) return Buffer.from([(value & 0x7f) | 0x80, value >> 7])
  return Buffer.from([(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14])
}
