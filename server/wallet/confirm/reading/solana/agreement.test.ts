/**
 * Three readers of the same bytes: the one of the vault, the card and the pages, the one of the server, and Solana's own
 * library. `npm run test:all` compares 25,000 transactions.
 */
import { parseSolanaTransaction } from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ParsedTransaction, parseTransaction } from './transaction.ts'

const RUNS = process.env.TEST_ENGINES === 'all' ? 25_000 : 1_000

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => base58.encode(bytes))
const signature = fc.uint8Array({ minLength: 64, maxLength: 64 })
const indexes = fc.array(fc.nat(255), { maxLength: 5 })
/** Lengths around 127 have an encoding of two bytes. */
const data = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ min: 120, max: 200 }).map((length) => new Uint8Array(length).fill(length)),
)

type Sample = { signatures: Uint8Array[]; message: Uint8Array; bytes: Buffer }

/** Transactions as Solana's library encodes them. */
const transactions: fc.Arbitrary<Sample> = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const),
    keys: fc.uniqueArray(key, { minLength: 2, maxLength: 12 }),
    lifetime: key,
    signers: fc.integer({ min: 1, max: 4 }),
    readonlySigners: fc.nat(3),
    readonlyOthers: fc.nat(6),
    instructions: fc.array(fc.record({ program: fc.nat(255), accounts: indexes, data }), { maxLength: 5 }),
    lookups: fc.array(fc.record({ table: key, writable: indexes, readable: indexes }), { maxLength: 2 }),
    signatures: fc.array(signature, { minLength: 4, maxLength: 4 }),
  })
  .map(({ version, keys, lifetime, instructions, lookups, signatures, ...header }) => {
    const signers = Math.min(header.signers, keys.length)
    const tables =
      version === 0 ? lookups.filter(({ writable, readable }) => writable.length + readable.length > 0) : []
    const all = tables.reduce(
      (sum, { writable, readable }) => sum + writable.length + readable.length,
      keys.length,
    )
    const message = {
      version,
      header: {
        numSignerAccounts: signers,
        numReadonlySignerAccounts: Math.min(header.readonlySigners, signers - 1),
        numReadonlyNonSignerAccounts: Math.min(header.readonlyOthers, keys.length - signers),
      },
      staticAccounts: keys,
      lifetimeToken: lifetime,
      instructions: instructions.map((instruction) => ({
        programAddressIndex: 1 + (instruction.program % (keys.length - 1)),
        accountIndices: instruction.accounts.map((index) => index % all),
        data: instruction.data,
      })),
      ...(version === 0 && {
        addressTableLookups: tables.map(({ table, writable, readable }) => ({
          lookupTableAddress: table,
          writableIndexes: writable,
          readonlyIndexes: readable,
        })),
      }),
    }
    const encoded = Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message as never))
    const present = signatures.slice(0, signers)
    return {
      signatures: present,
      message: encoded,
      bytes: Buffer.concat([Uint8Array.of(signers), ...present, encoded]),
    }
  })
  .filter(({ bytes }) => bytes.length <= 1_232)

/** Returns undefined for bytes that the reader of the vault refuses. */
function parseInVault(bytes: Uint8Array) {
  try {
    return parseSolanaTransaction(bytes, base58.encode)
  } catch {
    return undefined
  }
}

/** The fields of both readers, in one form. */
function toComparable(parsed: ParsedTransaction) {
  const { keys, header, lookups } = parsed
  const { signers, readonlySigners, readonlyOthers } = header
  const looked = (isWritable: boolean) =>
    lookups.flatMap(({ table, writable, readable }) =>
      (isWritable ? writable : readable).map((index) => ({
        address: undefined,
        isSigner: false,
        isWritable,
        lookup: { table, index },
      })),
    )
  const accounts = [
    ...keys.map((address, at) => ({
      address,
      isSigner: at < signers,
      isWritable: at < signers - readonlySigners || (at >= signers && at < keys.length - readonlyOthers),
    })),
    ...looked(true),
    ...looked(false),
  ]
  return {
    version: parsed.version ?? 'legacy',
    signatures: parsed.signatures.map((each) => Uint8Array.from(each)),
    lifetime: parsed.lifetime,
    accounts,
    instructions: parsed.instructions.map(({ program, ...instruction }) => ({
      program: keys[program],
      accounts: instruction.accounts.map((index) => accounts[index]),
      data: Uint8Array.from(instruction.data),
    })),
  }
}

function expectAgreement({ signatures, message, bytes }: Sample) {
  const server = parseTransaction(bytes)
  const vault = parseInVault(Uint8Array.from(bytes))
  if (!server || !vault) throw new Error('A reader refused a valid transaction')
  const { message: signed, ...fields } = vault
  expect(fields).toEqual(toComparable(server))
  expect(signed).toEqual(message)

  const { messageBytes, signatures: bySigner } = getTransactionDecoder().decode(bytes)
  expect(Uint8Array.from(messageBytes)).toEqual(message)
  expect(Object.keys(bySigner)).toEqual(server.keys.slice(0, server.header.signers))
  expect(vault.signatures).toEqual(signatures)
  const kit = getCompiledTransactionMessageDecoder().decode(messageBytes) as CompiledTransactionMessage &
    CompiledTransactionMessageWithLifetime
  if (kit.version === 1) throw new Error('There is no transaction of version 1 among the samples')
  expect({
    version: kit.version,
    header: {
      signers: kit.header.numSignerAccounts,
      readonlySigners: kit.header.numReadonlySignerAccounts,
      readonlyOthers: kit.header.numReadonlyNonSignerAccounts,
    },
    keys: kit.staticAccounts,
    lifetime: kit.lifetimeToken,
    instructions: kit.instructions.map(({ programAddressIndex, accountIndices = [], data: bytes = [] }) => ({
      program: programAddressIndex,
      accounts: accountIndices,
      data: Buffer.from(bytes),
    })),
    lookups: ('addressTableLookups' in kit ? (kit.addressTableLookups ?? []) : []).map((lookup) => ({
      table: lookup.lookupTableAddress,
      writable: lookup.writableIndexes,
      readable: lookup.readonlyIndexes,
    })),
  }).toEqual({
    version: server.version ?? 'legacy',
    header: server.header,
    keys: server.keys,
    lifetime: server.lifetime,
    instructions: server.instructions.map((each) => ({ ...each, data: Buffer.from(each.data) })),
    lookups: server.lookups,
  })
}

test('the readers of vault, server and library agree on every field of random transactions', () => {
  fc.assert(fc.property(transactions, expectAgreement), { numRuns: RUNS })
}, 600_000)

test('vault and server refuse every truncation and all trailing bytes', () => {
  fc.assert(
    fc.property(transactions, fc.uint8Array({ minLength: 1, maxLength: 3 }), ({ bytes }, more) => {
      const changed = [...bytes.keys()].map((length) => bytes.subarray(0, length))
      for (const each of [...changed, Buffer.concat([bytes, more])]) {
        expect(parseTransaction(each)).toBeUndefined()
        expect(parseInVault(each)).toBeUndefined()
      }
    }),
    { numRuns: RUNS / 50 },
  )
}, 600_000)

test('vault and server agree whether changed bytes are a transaction, and on its fields', () => {
  const change = fc.record({ at: fc.nat(), value: fc.nat(255) })
  fc.assert(
    fc.property(transactions, fc.array(change, { minLength: 1, maxLength: 3 }), ({ bytes }, changes) => {
      const changed = Buffer.from(bytes)
      for (const { at, value } of changes) changed[at % changed.length] = value
      const [server, vault] = [parseTransaction(changed), parseInVault(Uint8Array.from(changed))]
      const { message: _, ...fields } = vault ?? { message: undefined }
      expect(vault && fields).toEqual(server && toComparable(server))
    }),
    { numRuns: RUNS },
  )
}, 600_000)

test('vault and server refuse a length in more bytes than it needs', () => {
  fc.assert(
    fc.property(transactions, ({ signatures, message }) => {
      const count = signatures.length
      for (const size of [
        [0x80 | count, 0x00],
        [0x80 | count, 0x80, 0x00],
      ]) {
        const bytes = Buffer.concat([Uint8Array.from(size), ...signatures, message])
        expect(parseTransaction(bytes)).toBeUndefined()
        expect(parseInVault(bytes)).toBeUndefined()
      }
    }),
    { numRuns: RUNS / 10 },
  )
}, 600_000)
