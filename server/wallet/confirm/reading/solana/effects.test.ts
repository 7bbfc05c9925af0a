/** The effects of transactions that the libraries of Solana's programs build. */
import { analyzeSolanaTransaction } from '@latchkey/protocol/reading'
import { parseSolanaTransaction } from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import { AccountRole, address, createNoopSigner, type Instruction } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
} from '@solana-program/system'
import {
  AuthorityType,
  getApproveCheckedInstruction,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { buildTransaction, recipient, sendSol, solanaWallet, sponsor } from '../../testing/solana.ts'
import { determineEffects } from './effects.ts'
import { parseTransaction } from './transaction.ts'

const wallet = createNoopSigner(solanaWallet)
const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const source = address('3nMFwZXwY1s1M5s8vYAHqd4wGs4iSxXE4LRoUMMYqEgF')
const destination = address('5Gvt3b3TBQdjvs5iDPEnSdhpVtBXPzrWYzQ8wfpNUjH1')
const nonce = address('6Q4hXcSDvHpsK2Vyv8VJdSu3uKUCpTtxkXsLrTmn9xnU')
const stranger = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
const token2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const FEE = 5_000n

type Options = Parameters<typeof buildTransaction>[1]

function effectsOf(instructions: Instruction[], options?: Options) {
  const parsed = parseTransaction(buildTransaction(instructions, options))
  if (!parsed) throw new Error('The transaction was not parsed')
  return determineEffects(parsed, solanaWallet)
}
/** The same transaction, as the card and the page describe it. */
const meaningOf = (instructions: Instruction[], options?: Options) =>
  analyzeSolanaTransaction(
    parseSolanaTransaction(Uint8Array.from(buildTransaction(instructions, options)), base58.encode),
    solanaWallet,
  )
const onCard = { pageReason: undefined, lamports: FEE, tokens: [] }

const transferChecked = (programAddress = TOKEN_PROGRAM_ADDRESS) =>
  getTransferCheckedInstruction(
    { source, mint: usdc, destination, authority: wallet, amount: 5_000_000n, decimals: 6 },
    { programAddress },
  )
const createToken = {
  payer: wallet,
  ata: destination,
  owner: recipient,
  mint: usdc,
}

describe('a card may approve', () => {
  test.each(['legacy', 0] as const)('a transfer of SOL, with its fee, in version %s', (version) => {
    expect(effectsOf([sendSol(7n)], { version })).toEqual({ ...onCard, lamports: 7n + FEE })
    expect(meaningOf([sendSol(7n)], { version })).toMatchObject({
      actions: [{ kind: 'transfer', from: solanaWallet, to: recipient, lamports: 7n }],
      payer: solanaWallet,
      mostFee: FEE,
    })
  })

  test.each([
    ['the Token program', TOKEN_PROGRAM_ADDRESS],
    ['Token-2022', token2022],
  ])('a checked transfer of %s', (_what, program) => {
    const instructions = [transferChecked(program as typeof TOKEN_PROGRAM_ADDRESS)]
    expect(effectsOf(instructions)).toEqual({ ...onCard, tokens: [{ mint: usdc, amount: 5_000_000n }] })
    expect(meaningOf(instructions).actions).toEqual([
      {
        kind: 'token-transfer',
        owner: solanaWallet,
        to: destination,
        amount: 5_000_000n,
        token: { mint: usdc, decimals: 6 },
      },
    ])
  })

  test('a transaction with the fee paid by a sponsor, without SOL of the wallet', () => {
    const instructions = [transferChecked()]
    expect(effectsOf(instructions, { payer: sponsor })).toMatchObject({ pageReason: undefined, lamports: 0n })
    expect(meaningOf(instructions, { payer: sponsor })).toMatchObject({ payer: sponsor, otherSigners: [] })
  })

  test('SOL of the wallet, if the sponsor of the fee has no other role', () => {
    expect(effectsOf([sendSol(7n)], { payer: sponsor })).toEqual({ ...onCard, lamports: 7n })
    expect(effectsOf([sendSol(7n), sendSol(1n, solanaWallet, sponsor)], { payer: sponsor }).pageReason).toBe(
      'not_understood',
    )
  })

  test('a new token account, with its deposit', () => {
    for (const create of [
      getCreateAssociatedTokenInstruction,
      getCreateAssociatedTokenIdempotentInstruction,
    ]) {
      expect(effectsOf([create(createToken)])).toEqual({ ...onCard, lamports: 2_039_280n + FEE })
      expect(meaningOf([create(createToken)]).actions).toMatchObject([
        { kind: 'token-account', account: destination, owner: recipient, deposit: 2_039_280n },
      ])
    }
    const paid = getCreateAssociatedTokenInstruction({ ...createToken, payer: createNoopSigner(sponsor) })
    expect(effectsOf([paid], { payer: sponsor }).pageReason).toBe(undefined)
  })

  test('a note, a revoked approval and an account that is closed to the wallet', () => {
    const instructions = [
      getAddMemoInstruction({ memo: 'Rent for May' }),
      getRevokeInstruction({ source, owner: wallet }),
      getCloseAccountInstruction({ account: source, destination: solanaWallet, owner: wallet }),
    ]
    expect(effectsOf(instructions)).toEqual(onCard)
    expect(meaningOf(instructions).actions).toMatchObject([
      { kind: 'memo', text: 'Rent for May' },
      { kind: 'approval-revoked', account: source },
      { kind: 'token-account-closed', to: solanaWallet },
    ])
  })
})

describe('the maximum fee', () => {
  const price = getSetComputeUnitPriceInstruction({ microLamports: 2_000_001n })
  const limit = (units: number) => getSetComputeUnitLimitInstruction({ units })

  test.each([
    ['the limit that the transaction sets', [limit(300_000), price, sendSol(1n)], FEE + 600_001n],
    ['200,000 units an instruction without a limit', [price, sendSol(1n)], FEE + 800_001n],
    ['1,400,000 units at most', [limit(4_000_000_000), price, sendSol(1n)], FEE + 2_800_002n],
  ])('counts %s', (_what, instructions, fee) => {
    expect(effectsOf(instructions).lamports).toBe(1n + fee)
    expect(meaningOf(instructions)).toMatchObject({ mostFee: fee, actions: [{ kind: 'transfer' }] })
  })

  test('counts each signature', () => {
    const instructions = [getRevokeInstruction({ source, owner: createNoopSigner(recipient) })]
    expect(effectsOf(instructions).lamports).toBe(2n * FEE)
    expect(meaningOf(instructions).mostFee).toBe(2n * FEE)
  })

  test.each([
    'Ed25519SigVerify111111111111111111111111111',
    'KeccakSecp256k11111111111111111111111111111',
    'Secp256r1SigVerify1111111111111111111111111',
  ])('counts the signatures that %s verifies', (name) => {
    const instructions = [{ programAddress: address(name), data: Uint8Array.from([3, 0]) }]
    expect(effectsOf(instructions).lamports).toBe(4n * FEE)
    expect(meaningOf(instructions).mostFee).toBe(4n * FEE)
  })
})

describe('only the page may approve', () => {
  const hook = transferChecked()
  const cases: [string, string, Instruction[]][] = [
    [
      'an approval',
      'allowance_or_permit',
      [getApproveInstruction({ source, delegate: recipient, owner: wallet, amount: 1n })],
    ],
    [
      'a checked approval',
      'allowance_or_permit',
      [
        getApproveCheckedInstruction({
          source,
          mint: usdc,
          delegate: recipient,
          owner: wallet,
          amount: 1n,
          decimals: 6,
        }),
      ],
    ],
    [
      'another authority',
      'allowance_or_permit',
      [
        getSetAuthorityInstruction({
          owned: source,
          owner: wallet,
          authorityType: AuthorityType.AccountOwner,
          newAuthority: recipient,
        }),
      ],
    ],
    [
      'an account that is closed to another',
      'not_understood',
      [getCloseAccountInstruction({ account: source, destination: recipient, owner: wallet })],
    ],
    [
      'a durable nonce',
      'not_understood',
      [getAdvanceNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: wallet }), sendSol(1n)],
    ],
    ['two writable signers', 'not_understood', [sendSol(1n), sendSol(1n, sponsor)]],
    ['an unknown program', 'not_understood', [{ programAddress: stranger }]],
    [
      'an account of the wallet that gets a program',
      'not_understood',
      [getAssignInstruction({ account: wallet, programAddress: stranger })],
    ],
    [
      'a new account of a program',
      'not_understood',
      [
        getCreateAccountInstruction({
          payer: wallet,
          newAccount: createNoopSigner(recipient),
          lamports: 1n,
          space: 0n,
          programAddress: stranger,
        }),
      ],
    ],
    [
      'an unchecked transfer',
      'no_price',
      [getTransferInstruction({ source, destination, authority: wallet, amount: 1n })],
    ],
    [
      'a transfer with the accounts of a hook',
      'not_understood',
      [{ ...hook, accounts: [...hook.accounts, { address: stranger, role: AccountRole.READONLY }] }],
    ],
    [
      'a transfer with a fee of Token-2022',
      'not_understood',
      [
        {
          ...hook,
          programAddress: token2022,
          data: Uint8Array.of(26, 1, ...hook.data.slice(1), 0, 0, 0, 0, 0, 0, 0, 0),
        },
      ],
    ],
    [
      'accounts that a lookup table names',
      'not_understood',
      [
        {
          programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
          accounts: [
            { address: recipient, addressIndex: 3, lookupTableAddress: stranger, role: AccountRole.READONLY },
          ],
        } as Instruction,
      ],
    ],
    [
      'a note that is no text',
      'not_understood',
      [{ ...getAddMemoInstruction({ memo: '' }), data: Uint8Array.of(0xff) }],
    ],
  ]
  test.each(cases)('%s: %s', (_what, reason, instructions) => {
    expect(effectsOf(instructions).pageReason).toBe(reason)
  })

  test('names the rights before other reasons', () => {
    const approval = getApproveInstruction({ source, delegate: recipient, owner: wallet, amount: 1n })
    expect(effectsOf([{ programAddress: stranger }, approval]).pageReason).toBe('allowance_or_permit')
  })
})

describe('the page describes', () => {
  test('new rights, transactions without an expiry, and unknown programs', () => {
    const instructions = [
      getAdvanceNonceAccountInstruction({ nonceAccount: nonce, nonceAuthority: wallet }),
      getApproveInstruction({ source, delegate: recipient, owner: wallet, amount: 9n }),
      getSetAuthorityInstruction({
        owned: source,
        owner: wallet,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: recipient,
      }),
      { programAddress: stranger },
      sendSol(1n, sponsor),
    ]
    expect(meaningOf(instructions)).toMatchObject({
      actions: [
        { kind: 'durable-nonce' },
        { kind: 'approval', account: source, delegate: recipient, amount: 9n },
        { kind: 'authority', account: source },
        { kind: 'unknown', program: stranger },
        { kind: 'transfer', from: sponsor },
      ],
      otherSigners: [sponsor],
    })
  })
})
