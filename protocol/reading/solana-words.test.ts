import { expect, test } from 'vitest'
import { readTexts } from '../texts/at-start.ts'
import type { SolanaAction, SolanaMeaning } from './solana-actions.ts'
import { describeSolanaTransaction } from './solana-words.ts'
import type { Texts } from './texts.arb'
import type { AssetNames } from './typed-data-words.ts'

const texts = readTexts<Texts>(import.meta.dirname)
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const names: AssetNames = { coin: null, tokens: [{ address: usdc, symbol: 'USDC', decimals: 9 }] }

function describeActions(actions: SolanaAction[], change: Partial<SolanaMeaning> = {}) {
  const meaning: SolanaMeaning = {
    actions,
    payer: 'WALLET',
    mostFee: 5_000n,
    tables: [],
    otherSigners: [],
    ...change,
  }
  return describeSolanaTransaction(meaning, 'WALLET', names, texts('en'))
}
/** The sentences without the fee, which is last. Warnings begin with an exclamation mark. */
const sentences = (...described: Parameters<typeof describeActions>) =>
  describeActions(...described)
    .sentences.slice(0, -1)
    .map(({ text, isPlain }) => (isPlain ? text : `! ${text}`))

const transfer = (token: { mint: string; decimals: number } | undefined): SolanaAction => ({
  kind: 'token-transfer',
  owner: 'WALLET',
  to: 'ACCOUNT',
  amount: 5_500_000n,
  token,
})

test.each<[string, SolanaAction, string]>([
  [
    'a transfer of SOL with all digits',
    { kind: 'transfer', from: 'WALLET', to: 'BOB', lamports: 1n },
    'Send 0.000000001 SOL to BOB.',
  ],
  [
    'a transfer from another wallet',
    { kind: 'transfer', from: 'ALICE', to: 'WALLET', lamports: 2_000_000_000n },
    'Send 2 SOL from ALICE to WALLET.',
  ],
  [
    'tokens by the decimals of the transaction, with their listed symbol and their mint',
    transfer({ mint: usdc, decimals: 6 }),
    `Send 5.5 of the token USDC (${usdc}) to the token account ACCOUNT.`,
  ],
  [
    'an unlisted token by its mint',
    transfer({ mint: 'MINT', decimals: 2 }),
    'Send 55000 of the token MINT to the token account ACCOUNT.',
  ],
  [
    'tokens that are not named',
    transfer(undefined),
    'Send 5500000 of the smallest units of a token that it does not name to the token account ACCOUNT.',
  ],
  [
    'an approval',
    { kind: 'approval', account: 'ACCOUNT', delegate: 'EVE', amount: 3n },
    '! This lets EVE take 3 of the smallest units of a token that it does not name out of the token account ACCOUNT, without asking you again.',
  ],
  [
    'another authority',
    { kind: 'authority', account: 'ACCOUNT' },
    '! This gives another key control over ACCOUNT.',
  ],
  [
    'an account closed to the wallet',
    { kind: 'token-account-closed', account: 'ACCOUNT', to: 'WALLET' },
    'Close the token account ACCOUNT. What is left in it goes to WALLET.',
  ],
  [
    'an account closed to another wallet',
    { kind: 'token-account-closed', account: 'ACCOUNT', to: 'EVE' },
    '! Close the token account ACCOUNT. What is left in it goes to EVE.',
  ],
  [
    'a durable nonce',
    { kind: 'durable-nonce' },
    '! This transaction does not expire. It can be sent at any time.',
  ],
  [
    'an unknown program',
    { kind: 'unknown', program: 'PROGRAM' },
    '! We cannot tell what the program PROGRAM does here.',
  ],
])('describes %s', (_what, action, sentence) => {
  expect(sentences([action])).toEqual([sentence])
})

test('names the owner of a token account that the transaction creates, and its deposit', () => {
  const created = { account: 'ACCOUNT', owner: 'BOB', mint: 'MINT', deposit: 2_039_280n } as const
  const actions = [
    { kind: 'token-account', payer: 'WALLET', ...created } as const,
    transfer({ mint: 'MINT', decimals: 0 }),
  ]
  expect(sentences(actions)).toEqual([
    'Create a token account of BOB for the token MINT. Its deposit is at most 0.00203928 SOL.',
    'Send 5500000 of the token MINT to the token account ACCOUNT of BOB.',
  ])
  expect(sentences([{ kind: 'token-account', payer: 'SPONSOR', ...created }])).toEqual([
    'Create a token account of BOB for the token MINT.',
  ])
})

test('warns of lookup tables and of other signers', () => {
  const tables = [
    { address: 'TABLE', cluster: undefined, accounts: [] },
    { address: 'READ', cluster: 'devnet', accounts: ['BOB', 'MINT'] },
  ]
  expect(sentences([], { tables, otherSigners: ['ALICE'] })).toEqual([
    '! It names accounts by the table TABLE, which cannot be shown here.',
    '! A node of devnet returned these accounts of the table READ, which the signature does not contain: BOB, MINT.',
    '! It may also move coins of ALICE, another signer of it.',
  ])
})

test('shows the fee to its payer, and otherwise the payer', () => {
  const last = (payer: string) => describeActions([], { payer }).sentences.at(-1)
  expect(last('WALLET')).toEqual({ text: 'The fees are at most 0.000005 SOL.', isPlain: true })
  expect(last('SPONSOR')).toEqual({ text: 'The fees are paid by SPONSOR.', isPlain: true })
})

test('returns notes apart from the sentences, because the requester wrote them', () => {
  const { sentences: described, memos } = describeActions([{ kind: 'memo', text: 'Rent \u202e' }])
  expect(memos).toEqual(['Rent \u202e'])
  expect(described).toHaveLength(1)
})
