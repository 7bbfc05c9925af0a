/** Checks that every code is either sent by some code or reserved with a reason. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ErrorCode, errorCodes } from './error-codes.ts'
import { reservedCodes } from './reserved-codes.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')

const isSource = (path: string) =>
  !/\/(node_modules|dist|testing)\/|\/testing\.ts$|\.test(-d)?\.tsx?$|gallery/.test(path)
const sources = globSync('{protocol,server,dialog-app,wallet-frame,loader}/**/*.{ts,tsx}', { cwd: root })
  .filter(isSource)
  .map(textOf)

/** Patterns that create an error with a code. */
const isThrown = (code: string) => {
  const made = new RegExp(`LatchkeyError\\(\\s*'${code}'|toLatchkeyError\\([^,]*,\\s*'${code}'`)
  return sources.some((text) => made.test(text))
}

/** Codes that are first stored in a table or a result, from which an error is created. */
const chosenIn: { [Code in ErrorCode]?: string } = {
  allowlist_rejected: 'server/identity/users/accounts.ts',
  max_accounts_reached: 'server/identity/users/accounts.ts',
  cannot_unlink_sole_account: 'server/identity/users/accounts.ts',
  oauth_state_mismatch: 'server/login/oauth/pages.ts',
  invalid_captcha: 'server/integrations/captcha/require-captcha.ts',
  exited_auth_flow: 'dialog-app/flow/flow.ts',
  exited_link_flow: 'dialog-app/flow/flow.ts',
  user_exited_set_password_flow: 'dialog-app/flow/flow.ts',
  insufficient_funds: 'dialog-app/capabilities/send/attempts.ts',
  share_unknown_version: 'wallet-frame/vault/shares/share.ts',
  envelope_unknown_version: 'wallet-frame/vault/shares/envelope.ts',
  envelope_malformed: 'wallet-frame/vault/shares/envelope.ts',
}

test('finds the sources and the errors that they create', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(isThrown('invalid_credentials')).toBe(true)
  expect(isThrown('made_up_for_this_test')).toBe(false)
})

test.each(Object.entries(chosenIn))('%s is selected in %s', (code, path) => {
  expect(textOf(path)).toMatch(new RegExp(`(?<!(?:[!=]==|case) )'${code}'`))
  expect(isThrown(code)).toBe(false)
})

test('every code is either sent or reserved', () => {
  const unsent = errorCodes.filter((code) => !isThrown(code) && chosenIn[code] === undefined)
  expect(unsent.sort()).toEqual(Object.keys(reservedCodes).sort())
})

test.each(Object.entries(reservedCodes))('%s has a reason in a full sentence', (_code, reason) => {
  expect(reason).toMatch(/^[A-Z].{20,}\.$/)
})
