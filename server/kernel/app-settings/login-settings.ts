/** Login settings of an app that browsers do not need. */
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
  /** Shows our own confirmation page after a full-page redirect login at a provider. */
  confirmRedirectLogins: v.boolean(),
  /**
   * Hours during which a newly added login method or second factor cannot open a wallet on a new device. 0 disables the
   * delay.
   */
  newMethodHours: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxNewMethodHours)),
  /** Mails users about logins on devices that are new to the account. */
  newDeviceMails: v.boolean(),
  /**
   * E-mail addresses and phone numbers with a fixed code that is never sent, for tests of deployed development apps.
   */
  testAccounts: v.pipe(v.array(testAccount), v.maxLength(appLimits.maxTestAccounts)),
  /** Keys of the public metadata of a user that host tokens contain. */
  tokenMetadataKeys: v.pipe(
    v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(appLimits.maxMetadataKeyLength))),
    v.maxLength(appLimits.maxTokenMetadataKeys),
  ),
}
export type LoginSettings = {
  [Name in keyof typeof loginSettings]: v.InferOutput<(typeof loginSettings)[Name]>
}

export const defaultLoginSettings: LoginSettings = {
  confirmRedirectLogins: false,
  newMethodHours: 72,
  newDeviceMails: true,
  testAccounts: [],
  tokenMetadataKeys: [],
}
