import * as v from 'valibot'
import { apiLimits, appLimits, emailLimits } from '../limits/limits.ts'

/** Schemas that many entities share. */
export const text = v.pipe(v.string(), v.maxLength(apiLimits.maxStringLength))
export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
export const appId = v.pipe(v.string(), v.length(appLimits.appIdLength), v.regex(/^[A-Za-z0-9]+$/))
export const epochSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const base64url = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]+$/),
  v.maxLength(apiLimits.maxStringLength),
)
/** The thumbprint of a P-256 key (RFC 7638), or another SHA-256 in base64url. */
export const thumbprint = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
/** A Farcaster id. */
export const fid = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** Deliberately simple: the mail that arrives proves an address, not a grammar. */
const emailPattern = /^([^\s@"(),:;<>[\]\\]+)@([^\s@"(),:;<>[\]\\/?#%]+)$/
const hostPattern = /^([a-z0-9-]+\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]+$/
/** Invisible characters: controls, format characters, unassigned ones and lone surrogates. */
const invisibleCharacter = /\p{C}/u

/**
 * Normalizes an address, so that a mailbox cannot get several accounts with separate quotas. The domain is converted to
 * ASCII (UTS 46, like browser hostnames). Lookalike characters in the local part (full width, circled) are rejected.
 */
function normalizeEmail(address: string): string | undefined {
  const [, local = '', domain = ''] = emailPattern.exec(address) ?? []
  const plain = local.normalize('NFC').toLowerCase()
  if (invisibleCharacter.test(address) || plain !== plain.normalize('NFKC')) return undefined
  const host = toAsciiHost(domain)
  return host !== undefined && hostPattern.test(host) ? `${plain}@${host}` : undefined
}

function toAsciiHost(domain: string): string | undefined {
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
    const normal = normalizeEmail(dataset.value)
    if (normal !== undefined) return normal
    addIssue({ message: 'Not an e-mail address' })
    return NEVER
  }),
  v.maxLength(emailLimits.maxAddressLength),
)
export const isEmailAddress = (value: string) => v.is(emailAddress, value)

export const verificationCode = v.pipe(v.string(), v.trim(), v.regex(/^[0-9]{6}$/, 'A code has six digits'))
