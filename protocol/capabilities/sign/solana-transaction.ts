/**
 * A strict parser of Solana transactions for the vault, the card and the wallet pages. The server has a separate one.
 * https://solana.com/docs/core/transactions
 */
import { LatchkeyError } from '../../errors/errors.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import { proofTag } from '../../vault/proof.ts'

export type SolanaAccount = {
  /** Undefined for an account that only a lookup table names. */
  address: string | undefined
  isSigner: boolean
  isWritable: boolean
  /** The place in a lookup table. */
  lookup?: { table: string; index: number }
}

export type SolanaInstruction = {
  program: string
  accounts: SolanaAccount[]
  data: Uint8Array
}

export type SolanaTransaction = {
  version: 'legacy' | 0
  /** The signatures in the order of the signers. Missing signatures are zeros. */
  signatures: Uint8Array[]
  /** The bytes that each signer signs. */
  message: Uint8Array
  /** The accounts of the message, then those of its lookup tables. The first one pays the fees. */
  accounts: SolanaAccount[]
  /** A recent blockhash, or the value of a durable nonce. */
  lifetime: string
  instructions: SolanaInstruction[]
}

/** Encodes a public key in base58. */
export type EncodeAddress = (publicKey: Uint8Array) => string

/**
 * Returns the bytes to hash for the digest of a transaction. The tag is reserved, so no message has the same digest, and
 * a share that was released for a message opens for no transaction.
 */
export function encodeSolanaTransaction(transaction: Uint8Array): Uint8Array<ArrayBuffer> {
  const tag = new TextEncoder().encode(`${proofTag}solana-transaction/1\n`)
  const bytes = new Uint8Array(tag.length + transaction.length)
  bytes.set(tag)
  bytes.set(transaction, tag.length)
  return bytes
}

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
/** The bit that tells a versioned message from a legacy one, which begins with its number of signers. */
const VERSION_BIT = 0x80
/** An instruction names an account by one byte. */
const MAX_ACCOUNTS = 256

/** Parses a transaction with the signatures that it has so far. Throws unless this is its only encoding. */
export function parseSolanaTransaction(bytes: Uint8Array, encodeAddress: EncodeAddress): SolanaTransaction {
  if (bytes.length > walletSizes.maxSolanaTransactionBytes) throw malformed()
  const reader = createReader(bytes)
  const signatures = reader.list(() => reader.readBytes(SIGNATURE_BYTES))
  const message = bytes.subarray(reader.offset())
  const version = reader.peek() < VERSION_BIT ? 'legacy' : 0
  if (version === 0 && reader.byte() !== VERSION_BIT) throw malformed()
  const [signers, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()]
  const addresses = reader.list(() => encodeAddress(reader.readBytes(KEY_BYTES)))
  if (signers !== signatures.length || readonlySigners >= signers) throw malformed()
  if (signers + readonlyOthers > addresses.length) throw malformed()
  if (new Set(addresses).size !== addresses.length) throw malformed()
  const lifetime = encodeAddress(reader.readBytes(KEY_BYTES))
  const compiled = reader.list(() => ({
    program: reader.byte(),
    accounts: [...reader.bytes()],
    data: reader.bytes(),
  }))
  const tables = version === 0 ? reader.list(() => readLookups(reader, encodeAddress)) : []
  if (!reader.isAtEnd()) throw malformed()

  const accounts: SolanaAccount[] = [
    ...addresses.map((address, at) => ({
      address,
      isSigner: at < signers,
      isWritable: at < signers ? at < signers - readonlySigners : at < addresses.length - readonlyOthers,
    })),
    ...tables.flatMap(({ writable }) => writable),
    ...tables.flatMap(({ readable }) => readable),
  ]
  if (accounts.length > MAX_ACCOUNTS) throw malformed()
  const instructions = compiled.map(({ program, data, ...indexes }) => ({
    // The fee payer is no program, and a lookup table names none.
    program: (program > 0 && addresses[program]) || refuse(),
    accounts: indexes.accounts.map((index) => accounts[index] ?? refuse()),
    data,
  }))
  return { version, signatures, message, accounts, lifetime, instructions }
}

type Reader = ReturnType<typeof createReader>

function readLookups(reader: Reader, encodeAddress: EncodeAddress) {
  const table = encodeAddress(reader.readBytes(KEY_BYTES))
  const [writable, readable] = ([true, false] as const).map((isWritable) =>
    [...reader.bytes()].map((index) => ({
      address: undefined,
      isSigner: false,
      isWritable,
      lookup: { table, index },
    })),
  ) as [SolanaAccount[], SolanaAccount[]]
  if (writable.length + readable.length === 0) throw malformed()
  return { writable, readable }
}

function createReader(bytes: Uint8Array) {
  let offset = 0

  function readBytes(length: number): Uint8Array {
    const part = bytes.subarray(offset, offset + length)
    if (part.length < length) throw malformed()
    offset += length
    return part
  }
  const peek = () => bytes[offset] ?? refuse()
  const byte = () => readBytes(1)[0] ?? refuse()

  /** Reads a compact-u16: seven bits a byte, the lowest first, without a trailing zero. */
  function length(): number {
    let value = 0
    for (const shift of [0, 7, 14]) {
      const part = byte()
      value += (part & 0x7f) << shift
      if (part >= VERSION_BIT) continue
      if ((shift > 0 && part === 0) || value > 0xffff) throw malformed()
      return value
    }
    throw malformed()
  }

  return {
    readBytes,
    peek,
    byte,
    bytes: () => readBytes(length()),
    list: <T>(item: () => T): T[] => Array.from({ length: length() }, item),
    offset: () => offset,
    isAtEnd: () => offset === bytes.length,
  }
}

function refuse(): never {
  throw malformed()
}
const malformed = () => new LatchkeyError('invalid_data', 'The transaction is malformed')
