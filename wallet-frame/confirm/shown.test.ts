/** What the page says of typed data that moves something. */
import { expect, test } from 'vitest'
import { saidOf } from './shown.ts'
import { languages } from './texts.ts'

const texts = languages.en
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const other = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const listed = { address: token, symbol: 'USDC', decimals: 6 }
const permit = { kind: 'permit', spender: other, token, amount: '5000000' } as const
const transfer = { kind: 'transfer', to: other, token, amount: '1' } as const

test.each([
  [
    'of a listed token in its own decimals',
    permit,
    listed,
    `This lets ${other} take up to 5 USDC (${token}) out of your wallet, without asking you again.`,
  ],
  [
    'of a token in no list in its smallest units',
    permit,
    undefined,
    `This lets ${other} take up to 5000000 of the smallest units of the token ${token} out of your wallet, without asking you again.`,
  ],
  [
    'of another token than the listed one in its smallest units',
    { ...permit, token: other },
    listed,
    `This lets ${other} take up to 5000000 of the smallest units of the token ${other} out of your wallet, without asking you again.`,
  ],
  [
    'without limit as that',
    { ...permit, amount: null },
    listed,
    `This lets ${other} take tokens without any limit of the token USDC (${token}) out of your wallet, without asking you again.`,
  ],
  [
    'of a token that is not named as that',
    { ...permit, token: undefined, amount: null },
    listed,
    `This lets ${other} take tokens without any limit of a token that it does not name out of your wallet, without asking you again.`,
  ],
  [
    'that moves a listed token as a transfer',
    transfer,
    listed,
    `This moves 0.000001 USDC (${token}) to ${other}, as soon as whoever has it says so.`,
  ],
  [
    'that moves more than anybody has as everything',
    { ...transfer, amount: null },
    undefined,
    `This moves everything that you have of the token ${token} to ${other}, as soon as whoever has it says so.`,
  ],
] as const)('typed data %s', (_what, finding, known, said) => {
  expect(saidOf(finding, known, texts)).toBe(said)
})
