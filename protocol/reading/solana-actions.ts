/**
 * Decodes the effects of a Solana transaction for display. Supports transfers of SOL and tokens, token accounts, notes
 * and fees. Any other instruction is unknown.
 */
import { decodeText } from '../capabilities/sign/message-bytes.ts'
import type {
  SolanaAccount,
  SolanaInstruction,
  SolanaTransaction,
} from '../capabilities/sign/solana-transaction.ts'

export type SolanaAction =
  | { kind: 'transfer'; from: string; to: string; lamports: bigint }
  | {
      kind: 'token-transfer'
      owner: string
      /** A token account. */
      to: string
      amount: bigint
      /** Undefined for a transfer that does not name its token. */
      token: { mint: string; decimals: number } | undefined
    }
  /** `deposit`: the lamports that its payer leaves in the account. */
  | { kind: 'token-account'; account: string; owner: string; mint: string; payer: string; deposit: bigint }
  | { kind: 'approval'; account: string; delegate: string; amount: bigint }
  | { kind: 'approval-revoked'; account: string }
  /** Another key gets control over the account. */
  | { kind: 'authority'; account: string }
  /** `to` receives the remaining balance. */
  | { kind: 'token-account-closed'; account: string; to: string }
  /** The transaction does not expire. */
  | { kind: 'durable-nonce' }
  | { kind: 'memo'; text: string }
  | { kind: 'unknown'; program: string }

/** A lookup table that names accounts of the transaction. Without a cluster, no node returned them. */
export type SolanaLookupTable = { address: string; cluster: string | undefined; accounts: string[] }

/** The accounts of lookup tables, as a node of the cluster returns them. The signature does not cover them. */
export type SolanaLookups = {
  cluster: string
  accounts: { table: string; index: number; address: string }[]
}

export type SolanaMeaning = {
  actions: SolanaAction[]
  payer: string
  /** The maximum fee in lamports. */
  mostFee: bigint
  tables: SolanaLookupTable[]
  /** Other signers with writable accounts. */
  otherSigners: string[]
}

const system = '11111111111111111111111111111111'
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const associatedToken = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const computeBudget = 'ComputeBudget111111111111111111111111111111'
const memos = [
  'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/** `wallet` is the address that signs. `lookups` are ignored unless they name every account of every table. */
export function analyzeSolanaTransaction(
  transaction: SolanaTransaction,
  wallet: string,
  lookups?: SolanaLookups,
): SolanaMeaning {
  const { accounts } = transaction
  const find = createFind(accounts, lookups)
  const instructions = transaction.instructions.map((instruction) => ({
    ...instruction,
    accounts: instruction.accounts.map((account) => ({ ...account, address: find(account) })),
  }))
  const signers = accounts.filter(({ isSigner }) => isSigner)
  const others = signers.filter(({ address, isWritable }) => isWritable && address !== wallet)
  return {
    actions: instructions.filter((each) => !isBudget(each)).map(toAction),
    payer: accounts[0]?.address ?? '',
    mostFee: getMaxFee(instructions, signers.length),
    tables: listTables(accounts, find, lookups?.cluster),
    // The payer of the fees is named with them.
    otherSigners: others.flatMap(({ address }) =>
      address === undefined || address === accounts[0]?.address ? [] : address,
    ),
  }
}

type FindAddress = (account: SolanaAccount) => string | undefined

function createFind(accounts: SolanaAccount[], lookups: SolanaLookups | undefined): FindAddress {
  const find: FindAddress = ({ address, lookup }) =>
    address ??
    lookups?.accounts.find(({ table, index }) => table === lookup?.table && index === lookup.index)?.address
  return accounts.every((account) => find(account) !== undefined) ? find : ({ address }) => address
}

function listTables(
  accounts: SolanaAccount[],
  find: FindAddress,
  cluster: string | undefined,
): SolanaLookupTable[] {
  const entries = accounts.filter(({ lookup }) => lookup !== undefined)
  return [...new Set(entries.map(({ lookup }) => lookup?.table ?? ''))].map((address) => {
    const own = entries.filter(({ lookup }) => lookup?.table === address).flatMap((each) => find(each) ?? [])
    return { address, cluster: own.length > 0 ? cluster : undefined, accounts: own }
  })
}

function toAction(instruction: SolanaInstruction): SolanaAction {
  const { program, accounts, data } = instruction
  const unknown: SolanaAction = { kind: 'unknown', program }
  const addresses = accounts.flatMap(({ address }) => address ?? [])
  // The addresses of a lookup table are unknown here.
  if (addresses.length < accounts.length) return unknown
  const read = readers[program]?.(addresses, data)
  if (read) return read
  const text = memos.includes(program) ? decodeText(data) : undefined
  return text === undefined ? unknown : { kind: 'memo', text }
}

type Read = (accounts: string[], data: Uint8Array) => SolanaAction | undefined

const readers: { [program: string]: Read } = {
  [system]: ([from = '', to = '', ...more], data) => {
    if (data.length === 4 && data[0] === 4) return { kind: 'durable-nonce' }
    const isTransfer = data.length === 12 && readInteger(data, 0, 4) === 2n && to !== '' && more.length === 0
    return isTransfer ? { kind: 'transfer', from, to, lamports: readInteger(data, 4, 8) } : undefined
  },
  [token]: readToken,
  [token2022]: readToken,
  [associatedToken](
    [payer = '', account = '', owner = '', mint = '', systemProgram, program, ...more],
    data,
  ) {
    const isCreation = data.length === 0 || (data.length === 1 && (data[0] ?? 0) <= 1)
    const deposit = program === undefined ? undefined : deposits[program]
    if (!isCreation || systemProgram !== system || deposit === undefined || more.length > 0) return undefined
    return { kind: 'token-account', account, owner, mint, payer, deposit }
  },
}

/** The deposit of a token account. One of Token-2022 may have extensions of a few hundred bytes. */
const deposits: { [program: string]: bigint } = { [token]: 2_039_280n, [token2022]: 5_000_000n }

/** The instructions of both token programs, by their first byte, with their lengths. */
function readToken(accounts: string[], data: Uint8Array): SolanaAction | undefined {
  const [account = '', second = '', third = '', owner = ''] = accounts
  const has = (bytes: number, named: number) => data.length === bytes && accounts.length === named
  switch (data[0]) {
    case 3:
      if (!has(9, 3)) return undefined
      return {
        kind: 'token-transfer',
        owner: third,
        to: second,
        amount: readInteger(data, 1, 8),
        token: undefined,
      }
    case 4:
      return { kind: 'approval', account, delegate: second, amount: readInteger(data, 1, 8) }
    case 5:
      return has(1, 2) ? { kind: 'approval-revoked', account } : undefined
    case 6:
      return { kind: 'authority', account }
    case 9:
      return has(1, 3) ? { kind: 'token-account-closed', account, to: second } : undefined
    case 12:
      if (!has(10, 4)) return undefined
      return {
        kind: 'token-transfer',
        owner,
        to: third,
        amount: readInteger(data, 1, 8),
        token: { mint: second, decimals: data[9] ?? 0 },
      }
    case 13:
      return { kind: 'approval', account, delegate: third, amount: readInteger(data, 1, 8) }
    default:
      return undefined
  }
}

/** Lengths of the instructions that set limits and the price of compute units. */
const budgetCalls: { [tag: number]: number } = { 1: 5, 2: 5, 3: 9, 4: 5 }
const isBudget = ({ program, data, accounts }: SolanaInstruction) =>
  program === computeBudget && accounts.length === 0 && budgetCalls[data[0] ?? 0] === data.length

const LAMPORTS_PER_SIGNATURE = 5_000n
const MAX_UNITS = 1_400_000n
const DEFAULT_UNITS = 200_000n
const MICRO_LAMPORTS = 1_000_000n

/** Programs that verify signatures, each for the fee of a signature. Their data begins with the number of signatures. */
const verifier = /^(Ed25519SigVerify|KeccakSecp256k|Secp256r1SigVerify)1+$/

/** https://solana.com/docs/core/fees */
function getMaxFee(instructions: SolanaInstruction[], signers: number): bigint {
  const budget = instructions.filter(isBudget)
  const setting = (tag: number, bytes: number) => {
    const data = budget.find((each) => each.data[0] === tag)?.data
    return data && readInteger(data, 1, bytes)
  }
  const signatures = instructions.reduce(
    (sum, { program, data }) => (verifier.test(program) ? sum + (data[0] ?? 0) : sum),
    signers,
  )
  const units = setting(2, 4) ?? DEFAULT_UNITS * BigInt(instructions.length)
  const priority = (units < MAX_UNITS ? units : MAX_UNITS) * (setting(3, 8) ?? 0n)
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + (priority + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

/** Reads a little-endian integer. */
const readInteger = (data: Uint8Array, start: number, bytes: number): bigint =>
  data.subarray(start, start + bytes).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
