/** Every code of the catalogue is sent by somebody, or says why nobody does. */
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

/** Where an error is made with it. */
const isThrown = (code: string) => {
  const made = new RegExp(`LatchkeyError\\(\\s*'${code}'|toLatchkeyError\\([^,]*,\\s*'${code}'`)
  return sources.some((text) => made.test(text))
}

/** These stand in a table or a result first, and an error is made of that. */
const chosenIn: { [Code in ErrorCode]?: string } = {
  allowlist_rejected: 'server/identity/users/accounts.ts',
  max_accounts_reached: 'server/identity/users/accounts.ts',
  cannot_unlink_sole_account: 'server/identity/users/accounts.ts',
  oauth_state_mismatch: 'server/login/oauth/pages.ts',
  invalid_captcha: 'server/integrations/captcha/require-captcha.ts',
  exited_auth_flow: 'dialog-app/flow/flow.ts',
  exited_link_flow: 'dialog-app/flow/flow.ts',
  user_exited_set_password_flow: 'dialog-app/flow/flow.ts',
  insufficient_funds: 'dialog-app/capabilities/send/send-state.ts',
  share_unknown_version: 'wallet-frame/vault/shares/share.ts',
  envelope_unknown_version: 'wallet-frame/vault/shares/envelope.ts',
  envelope_malformed: 'wallet-frame/vault/shares/envelope.ts',
}

test('sources are found, and the errors that they make', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(isThrown('invalid_credentials')).toBe(true)
  expect(isThrown('made_up_for_this_test')).toBe(false)
})

test.each(Object.entries(chosenIn))('%s is chosen in %s', (code, path) => {
  expect(textOf(path)).toMatch(new RegExp(`(?<!(?:[!=]==|case) )'${code}'`))
  expect(isThrown(code)).toBe(false)
})

test('the codes that are sent, and those that say why they are not, are the whole catalogue', () => {
  const unsent = errorCodes.filter((code) => !isThrown(code) && chosenIn[code] === undefined)
  expect(unsent.sort()).toEqual(Object.keys(reservedCodes).sort())
})

test.each(Object.entries(reservedCodes))('%s says why in a sentence', (_code, reason) => {
  expect(reason).toMatch(/^[A-Z].{20,}\.$/)
})
