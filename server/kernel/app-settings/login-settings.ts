/** How people of an app log in, beyond what a browser has to know. */
import * as v from 'valibot'
import { appLimits } from './limits.ts'

export const loginSettings = {
  /** A login that takes the whole page to a provider asks its person on a page of ours before it goes on. */
  confirmRedirectLogins: v.boolean(),
  /** For how long a way to log in, or to verify, that a user added opens no wallet on a new device. 0: not at all. */
  newMethodHours: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxNewMethodHours)),
}
export type LoginSettings = {
  readonly [Name in keyof typeof loginSettings]: v.InferOutput<(typeof loginSettings)[Name]>
}

export const defaultLoginSettings: LoginSettings = { confirmRedirectLogins: false, newMethodHours: 72 }
