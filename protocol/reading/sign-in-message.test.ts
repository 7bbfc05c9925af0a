import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { findPersonalSignInDomains, findSignInDomains, isSignInFor } from './sign-in-message.ts'

const message = (domain: string, scheme?: string) =>
  createSiweMessage({
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    chainId: 1,
    domain,
    nonce: 'a1b2c3d4',
    uri: `https://${domain}/login`,
    version: '1',
    ...(scheme && { scheme }),
  })

describe('a sign-in message', () => {
  test.each([
    ['app.example', undefined],
    ['app.example:8443', undefined],
    ['app.example', 'https'],
    ['127.0.0.1:3000', 'http'],
  ])('is detected with the domain %s and the scheme %s', (domain, scheme) => {
    expect(findSignInDomains(message(domain, scheme))).toEqual([domain])
  })

  test.each([
    (text: string) => text.toUpperCase(),
    (text: string) => `\n  ${text}`,
    (text: string) => text.replaceAll(' ', '  '),
    (text: string) => text.replace('Ethereum', 'Solana'),
  ])('is detected in spellings that lenient parsers accept (%#)', (change) => {
    expect(findSignInDomains(change(message('app.example'))).map((each) => each.toLowerCase())).toEqual([
      'app.example',
    ])
  })

  test.each(['Hello', 'Do you want to sign in?', 'app.example', ''])('is not detected in %j', (text) => {
    expect(findSignInDomains(text)).toEqual([])
  })

  test.each([
    ['after other words', `Thank you for coming.\n\n${message('app.example')}`],
    ['after a line that ends otherwise', `Thank you.\u2028${message('app.example')}`],
    ['after a return', `Thank you.\r\n${message('app.example')}`],
  ])('is detected %s', (_where, text) => {
    expect(findSignInDomains(text)).toEqual(['app.example'])
  })

  test.each([
    ['a zero-width space in a word', (text: string) => text.replace('wants', 'wan\u200Bts')],
    ['a soft hyphen between words', (text: string) => text.replace('you to', 'you \u00ADto')],
    ['a replaced byte in a word', (text: string) => text.replace('sign', 'si\uFFFDgn')],
    ['a lone surrogate in a word', (text: string) => text.replace('sign', 'si\uD83Dgn')],
    ['a NUL in a word', (text: string) => text.replace('with', 'wi\0th')],
  ])('is detected with %s, which lenient parsers drop', (_what, change) => {
    expect(findSignInDomains(change(message('app.example')))).toEqual(['app.example'])
  })

  test('keeps invisible characters of the domain, which then matches no site', () => {
    expect(findSignInDomains(message('app.example').replace('app', 'ap\uFFFDp'))).toContain(
      'ap\uFFFDp.example',
    )
  })

  test('is detected after another one on the same line', () => {
    const words = 'wants you to sign in with your Ethereum account'
    expect(findSignInDomains(`app.example ${words} bank.example ${words}`)).toEqual([
      'app.example',
      'bank.example',
    ])
  })

  test('is detected after another one', () => {
    const both = `${message('app.example')}\n\n${message('bank.example')}`
    expect(findSignInDomains(both)).toEqual(['app.example', 'bank.example'])
  })
})

test.each([
  ['app.example', true],
  ['app.example:443', false],
  ['app.example:8443', false],
  ['other.example', false],
  ['app.example.evil.example', false],
  ['аpp.example', false],
  ['app.example@evil.example', false],
  ['', false],
])('%j is for https://app.example: %s', (domain, expected) => {
  expect(isSignInFor(domain, ['https://app.example'])).toBe(expected)
})

test('the port is part of the site', () => {
  expect(isSignInFor('localhost:3000', ['http://localhost:3000'])).toBe(true)
  expect(isSignInFor('localhost', ['http://localhost:3000'])).toBe(false)
})

test('a wildcard matches the sites of preview deployments', () => {
  const origins = ['https://app.example', 'https://*.preview.example']
  expect(isSignInFor('pr-12.preview.example', origins)).toBe(true)
  expect(isSignInFor('preview.example', origins)).toBe(false)
  expect(isSignInFor('*.preview.example', origins)).toBe(false)
})

describe('the message of personal_sign', () => {
  const bytes = (...parts: readonly (string | number)[]) =>
    `0x${Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))).toString('hex')}`
  const text = message('bank.example')

  test.each([
    ['as a text', text],
    ['as hex', bytes(text)],
    ['as hex in capitals', `0x${bytes(text).slice(2).toUpperCase()}`],
    ['behind a byte that is no text, on a line of its own', bytes(0xff, '\n', text)],
    ['before a byte that is no text', bytes(text, 0xff)],
    [
      'with a byte that is no text in its words',
      bytes(...text.split(/(?<=wan)/).flatMap((part) => [part, 0xff])),
    ],
    ['with a lone surrogate', `${text}\uD83D`],
    ['in UTF-16', `0x${Buffer.from(text, 'utf16le').toString('hex')}`],
  ])('logs in %s', (_form, form) => {
    expect(findPersonalSignInDomains(form).join()).toContain('bank.example')
  })

  test.each([
    ['a byte that is no text', bytes(0xff, message('app.example'))],
    ['a lone surrogate', `\uD83D${message('app.example')}`],
  ])('logs in at no site if %s stands before its domain', (_what, form) => {
    expect(
      findPersonalSignInDomains(form).every((domain) => isSignInFor(domain, ['https://app.example'])),
    ).toBe(false)
  })
})
