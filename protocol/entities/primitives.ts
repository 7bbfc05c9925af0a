import * as v from 'valibot'
import { apiLimits, appLimits, emailLimits } from '../limits/limits.ts'

/** Shapes that many entities share. */
export const text = v.pipe(v.string(), v.maxLength(apiLimits.maxStringLength))
export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
export const appId = v.pipe(v.string(), v.length(appLimits.appIdLength), v.regex(/^[A-Za-z0-9]+$/))
export const epochSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const base64url = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]+$/),
  v.maxLength(apiLimits.maxStringLength),
)
/** Of a P-256 key (RFC 7638), or another SHA-256. */
export const thumbprint = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
/** The number of an account at Farcaster. */
export const fid = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Deliberately plain: an address is proven by the mail that reaches it, not by a grammar. */
const emailPattern = /^([^\s@"(),:;<>[\]\\]+)@([^\s@"(),:;<>[\]\\/?#%]+)$/
const hostPattern = /^([a-z0-9-]+\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+$/
/** Control and format characters, unassigned ones, lone surrogates: what nobody sees. */
const unseen = /\p{C}/u

/**
 * One mailbox, one form, so that nobody has several accounts with budgets of their own at one mailbox. The domain
 * is written in ASCII (UTS 46, as browsers write hostnames); in the part before it, letters that only look like
 * others (full width, circled) are refused.
 */
function normalEmail(address: string): string | undefined {
  const [, local = '', domain = ''] = emailPattern.exec(address) ?? []
  const plain = local.normalize('NFC').toLowerCase()
  if (unseen.test(address) || plain !== plain.normalize('NFKC')) return undefined
  const host = asciiHost(domain)
  return host !== undefined && hostPattern.test(host) ? `${plain}@${host}` : undefined
}

function asciiHost(domain: string): string | undefined {
  try {
    return new URL(`https://${domain}`).hostname
  } catch {
    return undefined
  }
}

export const emailAddress = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(emailLimits.maxAddressLength),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const normal = normalEmail(dataset.value)
    if (normal !== undefined) return normal
    addIssue({ message: 'Not an e-mail address' })
    return NEVER
  }),
  v.maxLength(emailLimits.maxAddressLength),
)
export const isEmailAddress = (value: string) => v.is(emailAddress, value)

export const verificationCode = v.pipe(v.string(), v.trim(), v.regex(/^[0-9]{6}$/, 'A code has six digits'))
