import { errorCodes, type LatchkeyError } from '@latchkey/protocol'
import { beforeAll, expect, test } from 'vitest'
import { loadScreen } from '../../app/screen.ts'
import { picturedView } from '../../contract/picture.ts'
import { refused } from '../../testing/fixture.ts'
import { makeSettings } from '../../testing/fixtures.ts'
import { readScreen } from '../../testing/read-screen.ts'
import { type AllowlistState, allowlistState } from './allowlist-text.ts'
import { errorScreenTexts, errorState, unprocessableErrorText } from './error-text.ts'
import { AllowlistView, ErrorView } from './refusal-screens.tsx'
import { allowlistScreen, errorScreen } from './screens.ts'
import { english } from './texts.arb'

const readError = (error: LatchkeyError) =>
  readScreen(picturedView(errorScreen, ErrorView, () => ({ error, onRetry() {} }))(() => {}, 'en'))
const readAllowlist = (state: AllowlistState) =>
  readScreen(
    picturedView(allowlistScreen, AllowlistView, () => ({ ...state, onStartOver() {} }))(() => {}, 'en'),
  )
beforeAll(() => loadScreen(errorScreen, 'en'))

// spec L8.8, L8.10
test('hides the server message of a code without a row, except with HTTP 422', () => {
  const others = errorCodes.filter((code) => !(code in errorScreenTexts.byCode))
  expect(others.length).toBeGreaterThan(50)
  for (const code of others) {
    expect(readError(refused(code, 400, 'secret'))).toEqual([
      'Something went wrong',
      'Try again later',
      'Try again',
    ])
    expect(readError(refused(code, 422, 'what the server said'))).toEqual([
      'Something went wrong',
      'what the server said',
      'Try again',
    ])
  }
})

test('keeps the code beside a server message, so that it can be translated', () => {
  const { detail } = errorState(refused('user_unsubscribed', 400, 'what the server said'))
  expect(detail).toEqual({ code: 'user_unsubscribed', sentence: 'what the server said' })
})

test('every text of the table is in the catalogue', () => {
  const known = Object.keys(english.error)
  for (const { title, detail, button } of [
    ...Object.values(errorScreenTexts.byCode),
    errorScreenTexts.other,
    unprocessableErrorText,
  ]) {
    for (const text of [title, detail, button]) if (text !== undefined) expect(known).toContain(text)
  }
})

// spec L3.10
test('the allowlist screen has the texts of the host page, else those of the app, else the defaults', () => {
  expect(readAllowlist(allowlistState(makeSettings()))).toEqual([
    "You don't have access to this app",
    'Have you been invited?',
    'Try another account',
  ])
  const app = {
    allowlistConfig: { errorTitle: 'App', errorDetail: 'App detail', ctaLink: 'https://a.example' },
  }
  const host = { allowlistConfig: { errorTitle: 'Host' } }
  const named = allowlistState(makeSettings(app, host))
  expect(named.link).toBe('https://a.example')
  // The link, and the way back.
  expect(readAllowlist(named)).toEqual(['Host', 'App detail', 'Try another account', 'Try another account'])
})
