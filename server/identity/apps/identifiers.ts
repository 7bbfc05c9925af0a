/** Normalizes account identifiers to their stored spelling. */
import { allLoginMethodRows, emailAddress, type IdentifierType, solanaAddress } from '@latchkey/protocol'
import * as v from 'valibot'
import { parsePhoneNumber } from '../../integrations/sms/sms.ts'
import { subjectLimits } from '../../kernel/limits.ts'
import { AppRefusal } from './refusal.ts'

/** Accepts any spelling of a phone number and returns the stored form. */
const phoneNumber = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    try {
      return parsePhoneNumber(value).qualified
    } catch {
      addIssue({ message: 'No phone number' })
      return NEVER
    }
  }),
)
/** A contract wallet has a chain prefix: `eip155:8453:0x…`. Solana addresses are case-sensitive. */
const walletAddress = v.union([
  v.pipe(v.string(), v.regex(/^(eip155:[1-9]\d{0,15}:)?0x[0-9a-fA-F]{40}$/), v.toLowerCase()),
  solanaAddress,
])
const wholeNumber = v.pipe(v.string(), v.regex(/^[1-9]\d{0,19}$/))
/** A cross-app account: the other app's id and its user id. */
const subjectAtApp = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{25}:\P{C}{1,255}$/u))
/** An account at an OpenID provider: its issuer and the subject. */
const subjectAtIssuer = v.pipe(
  v.string(),
  v.maxLength(2 * subjectLimits.maxLength),
  v.regex(/^https?:\/\/\S+ \P{Cc}{1,255}$/u),
)
/** Subjects are case-sensitive and compared exactly. */
const subject = v.pipe(v.string(), v.nonEmpty(), v.maxLength(subjectLimits.maxLength), v.regex(/^\P{Cc}*$/u))

const identifiers: Readonly<Record<Exclude<IdentifierType, 'none'>, v.GenericSchema<string, string>>> = {
  'e-mail address': emailAddress,
  'phone number': phoneNumber,
  'wallet address': walletAddress,
  subject,
  number: wholeNumber,
  'of an app': subjectAtApp,
  'of an issuer': subjectAtIssuer,
}

/**
 * Allowlist types are account types. Passkeys have no identifier that an operator could know, so another account of the
 * user counts.
 */
const allowlistTypes: Readonly<Partial<Record<string, v.GenericSchema<string, string>>>> = Object.fromEntries(
  [
    ...allLoginMethodRows.flatMap(({ account, identifier }) =>
      identifier === 'none' ? [] : [[account.entries.type.literal, identifiers[identifier]] as const],
    ),
    ['custom_auth', subject],
  ],
)
const listableTypes = Object.keys(allowlistTypes)

/** Returns the stored spelling of an identifier. Throws AppRefusal if it is invalid. */
export function normalizeIdentifier(type: string, identifier: string): string {
  const schema = Object.hasOwn(allowlistTypes, type) ? allowlistTypes[type] : undefined
  if (!schema) throw new AppRefusal(`The type must be one of ${listableTypes.join(', ')}.`)
  const parsed = v.safeParse(schema, identifier)
  if (!parsed.success) throw new AppRefusal(`"${identifier}" is not a valid identifier for ${type}.`)
  return parsed.output
}
