import * as v from 'valibot'
import { apiLimits, appLimits, emailLimits } from '../limits.ts'

/** Shapes that many entities share. */
export const text = v.pipe(v.string(), v.maxLength(apiLimits.maxStringLength))
export const nonEmptyText = v.pipe(v.string(), v.nonEmpty(), v.maxLength(apiLimits.maxStringLength))
export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
export const appId = v.pipe(v.string(), v.length(appLimits.appIdLength), v.regex(/^[A-Za-z0-9]+$/))
export const epochSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const base64url = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]+$/),
  v.maxLength(apiLimits.maxStringLength),
)
export const evmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))
export const hex = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})*$/))

/** Deliberately plain: an address is proven by the mail that reaches it, not by a grammar. */
const emailPattern = /^[^\s@"(),:;<>[\]\\]+@[^\s@.,"(),:;<>[\]\\]+(\.[^\s@.,"(),:;<>[\]\\]+)+$/

export const emailAddress = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(emailLimits.maxAddressLength),
  v.regex(emailPattern, 'Not an e-mail address'),
)
export const isEmailAddress = (value: string) => v.is(emailAddress, value)

export const verificationCode = v.pipe(v.string(), v.trim(), v.regex(/^[0-9]{6}$/, 'A code has six digits'))
