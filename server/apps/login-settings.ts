/** How people of an app log in, beyond what a browser has to know. */
import * as v from 'valibot'

export const loginSettings = {
  /** A login that takes the whole page to a provider asks its person on a page of ours before it goes on. */
  confirmRedirectLogins: v.boolean(),
}
export type LoginSettings = {
  readonly [Name in keyof typeof loginSettings]: v.InferOutput<(typeof loginSettings)[Name]>
}

export const defaultLoginSettings: LoginSettings = { confirmRedirectLogins: false }
