/**
 * Determines the amounts that leave the wallet in a Solana transaction, and the reason for the confirmation page if there
 * is one. Unlisted programs and instructions need the page.
 */
import type { ConfirmationReason } from '@latchkey/protocol/wallet'
import { decodeText } from '@latchkey/protocol/wallet'
import type { ParsedTransaction } from './transaction.ts'

export type SolanaEffects = {
  /** Why only the page may approve it. */
  pageReason: ConfirmationReason | undefined
  /** Lamports that leave the wallet, with the fees if the wallet pays them. */
  lamports: bigint
  tokens: { mint: string; amount: bigint }[]
}

/** The effect of one instruction. */
type Effect = Partial<Omit<SolanaEffects, 'pageReason'>> & {
  pageReason?: ConfirmationReason
  computeUnits?: bigint
  /** In millionths of a lamport for each compute unit. */
  computeUnitPrice?: bigint
}
type Instruction = {
  program: string
  /** Undefined for an account that only a lookup table names. */
  accounts: (string | undefined)[]
  data: Buffer
}
type Read = (instruction: Instruction, wallet: string) => Effect

const none: Effect = {}
const unknown: Effect = { pageReason: 'not_understood' }
const givesRights: Effect = { pageReason: 'allowance_or_permit' }

export const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
} as const

const readers: ReadonlyMap<string, Read> = new Map([
  [programs.system, readSystem],
  [programs.token, readToken],
  [programs.token2022, readToken],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', readAssociatedToken],
  [programs.computeBudget, readComputeBudget],
  ['Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH', readMemo],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', readMemo],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', readMemo],
])

/** The place of the account that pays the fees. */
export const PAYER = 0

/** The fee of one signature. */
const LAMPORTS_PER_SIGNATURE = 5_000n
const MAX_COMPUTE_UNITS = 1_400_000n
const DEFAULT_COMPUTE_UNITS = 200_000n
const MICRO_LAMPORTS = 1_000_000n

export function determineEffects(transaction: ParsedTransaction, wallet: string): SolanaEffects {
  const { header, keys, lookups, instructions } = transaction
  const effects = instructions.map(({ program, accounts, data }) => {
    const instruction = {
      program: keys[program] ?? '',
      accounts: accounts.map((account) => keys[account]),
      data,
    }
    return readers.get(instruction.program)?.(instruction, wallet) ?? unknown
  })
  // No instruction can move the coins of a payer that none of them names.
  const isPayerOnly = keys[PAYER] !== wallet && !instructions.some(({ accounts }) => accounts.includes(PAYER))
  const writableSigners = header.signers - header.readonlySigners - (isPayerOnly ? 1 : 0)
  const isSimple = writableSigners <= 1 && lookups.length === 0
  const reasons = [...effects.map(({ pageReason }) => pageReason), isSimple ? undefined : 'not_understood']
  const fee = keys[PAYER] === wallet ? getMaxFee(transaction) : 0n
  return {
    pageReason: (['allowance_or_permit', 'not_understood', 'no_price'] as const).find((each) =>
      reasons.includes(each),
    ),
    lamports: effects.reduce((sum, { lamports = 0n }) => sum + lamports, fee),
    tokens: effects.flatMap(({ tokens = [] }) => tokens),
  }
}

/** Programs that verify signatures, each for the fee of a signature. Their data begins with the number. */
const verifiers = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

/** Returns the maximum fee in lamports. https://solana.com/docs/core/fees */
export function getMaxFee({ header, keys, instructions }: ParsedTransaction): bigint {
  const calls = instructions.map(({ program, data }) => ({ program: keys[program] ?? '', data }))
  const settings = calls.filter(({ program }) => program === programs.computeBudget).map(readComputeBudget)
  const [units = DEFAULT_COMPUTE_UNITS * BigInt(instructions.length)] = settings.flatMap(
    ({ computeUnits }) => computeUnits ?? [],
  )
  const [price = 0n] = settings.flatMap(({ computeUnitPrice }) => computeUnitPrice ?? [])
  const capped = units < MAX_COMPUTE_UNITS ? units : MAX_COMPUTE_UNITS
  const signatures = calls
    .filter(({ program }) => verifiers.includes(program))
    .reduce((sum, { data }) => sum + (data[0] ?? 0), header.signers)
  return LAMPORTS_PER_SIGNATURE * BigInt(signatures) + (capped * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

function readSystem({ accounts: [from], accounts, data }: Instruction, wallet: string): Effect {
  const isTransfer = data.length === 12 && data.readUInt32LE() === 2 && accounts.length === 2
  if (!isTransfer || accounts.includes(undefined)) return unknown
  return from === wallet ? { lamports: data.readBigUInt64LE(4) } : none
}

/** Both token programs. A transfer with more accounts has several owners, or runs the code of a transfer hook. */
function readToken({ accounts, data }: Instruction, wallet: string): Effect {
  if (accounts.includes(undefined)) return unknown
  switch (data[0]) {
    // Transfer. It does not name its token.
    case 3:
      if (data.length !== 9 || accounts.length !== 3) return unknown
      return accounts[2] === wallet ? { pageReason: 'no_price' } : none
    case 4: // Approve
    case 6: // SetAuthority
    case 13: // ApproveChecked
      return givesRights
    case 5: // Revoke
      return data.length === 1 && accounts.length === 2 ? none : unknown
    // CloseAccount. The remaining balance goes to the second account.
    case 9:
      return data.length === 1 && accounts.length === 3 && accounts[1] === wallet ? none : unknown
    // TransferChecked
    case 12: {
      const [, mint = '', , owner] = accounts
      if (data.length !== 10 || accounts.length !== 4) return unknown
      return owner === wallet ? { tokens: [{ mint, amount: data.readBigUInt64LE(1) }] } : none
    }
    default:
      return unknown
  }
}

/** The deposit of an account of the Token program: 165 bytes and 128 for its entry, at 6,960 lamports each. */
const TOKEN_ACCOUNT_LAMPORTS = 2_039_280n
/** The deposit of a Token-2022 account with up to 425 bytes of extensions. */
const TOKEN_2022_ACCOUNT_LAMPORTS = 5_000_000n

/** Creating an associated token account. Its payer leaves a deposit. */
function readAssociatedToken({ accounts, data }: Instruction, wallet: string): Effect {
  const isCreation = data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1))
  const [payer, , , , system, token] = accounts
  const isToken = token === programs.token || token === programs.token2022
  const isStandard = accounts.length === 6 && system === programs.system && isToken
  if (!isCreation || !isStandard || accounts.includes(undefined)) return unknown
  if (payer !== wallet) return none
  return { lamports: token === programs.token ? TOKEN_ACCOUNT_LAMPORTS : TOKEN_2022_ACCOUNT_LAMPORTS }
}

function readComputeBudget({ data }: Pick<Instruction, 'data'>): Effect {
  if (data[0] === 3) return data.length === 9 ? { computeUnitPrice: data.readBigUInt64LE(1) } : unknown
  if (data.length !== 5) return unknown
  if (data[0] === 2) return { computeUnits: BigInt(data.readUInt32LE(1)) }
  // RequestHeapFrame, SetLoadedAccountsDataSizeLimit
  return data[0] === 1 || data[0] === 4 ? none : unknown
}

function readMemo({ data }: Instruction): Effect {
  return decodeText(data) === undefined ? unknown : none
}
