/** Complete descriptions of typed data that moves assets. */
import { expect, test } from 'vitest'
import { readTexts } from '../texts/at-start.ts'
import type { Texts } from './texts.arb'
import type { Finding } from './typed-data-meaning.ts'
import { type AssetNames, describeFindings, noAssetNames } from './typed-data-words.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const other = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const listed: AssetNames = { coin: null, tokens: [{ address: token, symbol: 'USDC', decimals: 6 }] }
const permit = { kind: 'permit', spender: other, token, amount: '5000000' } as const
const transfer = { kind: 'transfer', to: other, token, amount: '1' } as const
const untilSeconds = '1798718400'

const texts = readTexts<Texts>(import.meta.dirname)
const said = (names: AssetNames, language: string, ...findings: readonly Finding[]) => {
  const { title, sentences: all } = describeFindings(findings, names, texts(language), language)
  return [title, ...all.map(({ text, isPlain }) => (isPlain ? text : `! ${text}`))]
}

test.each<[string, Finding, AssetNames, readonly [string | undefined, ...string[]]]>([
  [
    'of a listed token in its own decimals',
    permit,
    listed,
    [
      'Allow 5 USDC',
      `! This lets ${other} take up to 5 USDC (${token}) out of your wallet, without asking you again.`,
    ],
  ],
  [
    'with an expiry shows it',
    { ...permit, untilSeconds },
    listed,
    [
      'Allow 5 USDC until 31 December 2026',
      `! This lets ${other} take up to 5 USDC (${token}) until 31 December 2026 at 12:00 UTC out of your wallet, without asking you again.`,
    ],
  ],
  [
    'of a token in no list in its smallest units',
    permit,
    noAssetNames,
    [
      'Allow tokens to be taken',
      `! This lets ${other} take up to 5000000 of the smallest units of the token ${token} out of your wallet, without asking you again.`,
    ],
  ],
  [
    'of another token than the listed one in its smallest units',
    { ...permit, token: other },
    listed,
    [
      'Allow tokens to be taken',
      `! This lets ${other} take up to 5000000 of the smallest units of the token ${other} out of your wallet, without asking you again.`,
    ],
  ],
  [
    'without limit as that',
    { ...permit, amount: null },
    listed,
    [
      'Allow tokens to be taken',
      `! This lets ${other} take an unlimited amount of the token USDC (${token}) out of your wallet, without asking you again.`,
    ],
  ],
  [
    'of an unnamed token says so',
    { ...permit, token: undefined, amount: null },
    listed,
    [
      'Allow tokens to be taken',
      `! This lets ${other} take an unlimited amount of a token that it does not name out of your wallet, without asking you again.`,
    ],
  ],
  [
    'of foreign tokens shows their owner',
    { ...permit, owner: other },
    listed,
    [
      'Allow 5 USDC',
      `! This lets ${other} take up to 5 USDC (${token}) out of your wallet, without asking you again.`,
      `! The tokens belong to ${other}, not to this wallet.`,
    ],
  ],
  [
    'that revokes shows no warning',
    { kind: 'permit-revoked', spender: other, token },
    listed,
    ['Revoke a permission', `This revokes the permission of ${other} to take the token USDC (${token}).`],
  ],
  [
    'that moves a listed token as a transfer',
    transfer,
    listed,
    [
      'Send 0.000001 USDC',
      `! Anyone who has this signature can move 0.000001 USDC (${token}) to ${other}, at any time.`,
    ],
  ],
  [
    'that moves more than any balance as everything',
    { ...transfer, amount: null },
    noAssetNames,
    [
      'Send tokens',
      `! Anyone who has this signature can move everything that you have of the token ${token} to ${other}, at any time.`,
    ],
  ],
  [
    'that names no network has no title of its own',
    { kind: 'no-chain' },
    noAssetNames,
    [undefined, '! It names no network, so it may be valid on several.'],
  ],
])('typed data %s', (_what, finding, names, expected) => {
  expect(said(names, 'en', finding)).toEqual(expected)
})

test('the title of several permits has no amount', () => {
  expect(said(listed, 'en', permit, { ...permit, untilSeconds })[0]).toBe('Allow tokens to be taken')
})

test('every description has an Arabic translation', () => {
  expect(said(listed, 'ar', { ...permit, untilSeconds, owner: other })).toEqual([
    'السماح بسحب 5 USDC حتى 31 ديسمبر 2026',
    `! يسمح هذا لـ ${other} بأن يسحب من محفظتك حتى 5 USDC (${token}) حتى 31 ديسمبر 2026 في 12:00 م UTC دون أن يسألك مرة أخرى.`,
    `! هذه الرموز ملك ${other}، لا ملك هذه المحفظة.`,
  ])
  expect(said(listed, 'ar', transfer)).toEqual([
    'إرسال 0.000001 USDC',
    `! ينقل هذا 0.000001 USDC (${token}) إلى ${other}، متى شاء من يملكه.`,
  ])
})
