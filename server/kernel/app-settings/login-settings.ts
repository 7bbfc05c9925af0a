/** How people of an app log in, beyond what a browser has to know. */
import { emailAddress } from '@latchkey/protocol'
import * as v from 'valibot'
import { appLimits } from './limits.ts'

const testAccount = v.object({
  identifier: v.union(
    [emailAddress, v.pipe(v.string(), v.regex(/^\+[1-9]\d{6,14}$/))],
    'an identifier is an e-mail address, or a number as +12025550123',
  ),
  code: v.pipe(v.string(), v.regex(/^\d{6}$/, 'a code has 6 digits')),
})

export const loginSettings = {
  /** A login that takes the whole page to a provider asks its person on a page of ours before it goes on. */
  confirmRedirectLogins: v.boolean(),
  /** The hours for which a way to log in, or to verify, that a user added opens no wallet on a new device. 0: none. */
  newMethodHours: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxNewMethodHours)),
  /** Addresses and numbers with a fixed code, which is sent to nobody: for tests of a development app that is deployed. */
  testAccounts: v.pipe(v.array(testAccount), v.maxLength(appLimits.maxTestAccounts)),
}
export type LoginSettings = {
  [Name in keyof typeof loginSettings]: v.InferOutput<(typeof loginSettings)[Name]>
}

export const defaultLoginSettings: LoginSettings = {
  confirmRedirectLogins: false,
  newMethodHours: 72,
  testAccounts: [],
}
