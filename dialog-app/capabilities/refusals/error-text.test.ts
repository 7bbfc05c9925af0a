import { errorCodes } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { makeSettings } from '../../testing/fixtures.ts'
import { refused } from '../../testing/world.ts'
import { allowlistState } from './allowlist-text.ts'
import { errorScreenTexts, errorState, unprocessableErrorText } from './error-text.ts'
import { english } from './texts.arb'

// spec L8.8, L8.10
test('says nothing of what the server said of a code without a row, but where it is HTTP 422', () => {
  const others = errorCodes.filter((code) => !(code in errorScreenTexts.byCode))
  expect(others.length).toBeGreaterThan(50)
  for (const code of others) {
    expect(errorState(refused(code, 400, 'secret'))).toEqual({
      title: 'Something went wrong',
      detail: 'Try again later',
      button: 'Try again',
    })
    expect(errorState(refused(code, 422, 'what the server said'))).toEqual({
      title: 'Something went wrong',
      detail: 'what the server said',
      button: 'Try again',
      code,
    })
  }
})

test('every text of the table can be said in every language', () => {
  const known: readonly string[] = Object.values(english.error)
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
  expect(allowlistState(makeSettings())).toEqual({
    title: "You don't have access to this app",
    detail: 'Have you been invited?',
    button: 'Try another account',
    link: undefined,
  })
  const app = {
    allowlistConfig: { errorTitle: 'App', errorDetail: 'App detail', ctaLink: 'https://a.example' },
  }
  const host = { allowlistConfig: { errorTitle: 'Host' } }
  expect(allowlistState(makeSettings(app, host))).toEqual({
    title: 'Host',
    detail: 'App detail',
    button: 'Try another account',
    link: 'https://a.example',
  })
})
