import { errorCodes } from '@latchkey/protocol'
import { beforeAll, expect, test } from 'vitest'
import { loadPart, showScreen } from '../../flow/screen.ts'
import { refused } from '../../testing/fixture.ts'
import { makeSettings } from '../../testing/fixtures.ts'
import { readPart } from '../../testing/read-screen.ts'
import { type AllowlistState, allowlistState } from './allowlist-text.ts'
import { type ErrorState, errorScreenTexts, errorState, unprocessableErrorText } from './error-text.ts'
import { allowlistScreen, errorScreen } from './screens.ts'
import { english } from './texts.arb'

const wordsOf = (state: ErrorState) => readPart(showScreen(errorScreen, state, () => {}))
const allowlistWords = (state: AllowlistState) => readPart(showScreen(allowlistScreen, state, () => {}))
beforeAll(() => Promise.all([loadPart(errorScreen, 'en'), loadPart(allowlistScreen, 'en')]))

// spec L8.8, L8.10
test('says nothing of what the server said of a code without a row, but where it is HTTP 422', () => {
  const others = errorCodes.filter((code) => !(code in errorScreenTexts.byCode))
  expect(others.length).toBeGreaterThan(50)
  for (const code of others) {
    expect(wordsOf(errorState(refused(code, 400, 'secret')))).toEqual([
      'Something went wrong',
      'Try again later',
      'Try again',
    ])
    expect(wordsOf(errorState(refused(code, 422, 'what the server said')))).toEqual([
      'Something went wrong',
      'what the server said',
      'Try again',
    ])
  }
})

test('the code of a sentence of the server goes with it, for whoever translates it', () => {
  const { detail } = errorState(refused('user_unsubscribed', 400, 'what the server said'))
  expect(detail).toEqual({ code: 'user_unsubscribed', sentence: 'what the server said' })
})

test('every text of the table can be said in every language', () => {
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
test('the allowlist screen says what the host says, else the app, else the defaults', () => {
  expect(allowlistWords(allowlistState(makeSettings()))).toEqual([
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
  expect(allowlistWords(named)).toEqual(['Host', 'App detail', 'Try another account', 'Try another account'])
})
