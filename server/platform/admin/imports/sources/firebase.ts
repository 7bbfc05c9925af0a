/** Firebase: users of `firebase auth:export`, as JSON or as CSV without a header. */
import * as v from 'valibot'
import {
  collectMetadata,
  emailAccount,
  flag,
  json,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  providerAccount,
  type SourceAccount,
  subject,
  timeMs,
} from './source.ts'

/** Four cells for each provider: subject, e-mail address, name and picture. Names before the `.` are providers. */
const listCells = (provider: string) =>
  ['rawId', 'email', 'displayName', 'photoUrl'].map((cell) => `${provider}.${cell}`)
export const firebaseColumns: Readonly<string[]> = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  ...['google.com', 'facebook.com', 'twitter.com', 'github.com'].flatMap(listCells),
  'createdAt',
  'lastSignedInAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
  ...[
    'apple.com',
    'microsoft.com',
    'gc.apple.com',
    'playgames.google.com',
    'linkedin.com',
    'yahoo.com',
  ].flatMap(listCells),
]

const record = v.looseObject({
  localId: v.string(),
  email: optionalText,
  emailVerified: flag,
  phoneNumber: optionalText,
  createdAt: timeMs,
  disabled: flag,
  customAttributes: maybe(json(v.unknown())),
  providerUserInfo: maybe(v.array(v.object({ providerId: v.string(), rawId: maybe(subject) }))),
})

const providers = {
  'google.com': 'google_oauth',
  'apple.com': 'apple_oauth',
  'github.com': 'github_oauth',
  'twitter.com': 'twitter_oauth',
} as const

/** The address or number itself is the account. */
const ownProviders: ReadonlySet<string> = new Set(['password', 'phone'])

type Identity = { providerId: string; rawId?: string | null | undefined }

/** Returns the identities of a CSV row. */
const findCellIdentities = (cells: Readonly<Record<string, unknown>>): Identity[] =>
  Object.entries(cells).flatMap(([name, cell]) =>
    name.endsWith('.rawId') && typeof cell === 'string'
      ? { providerId: name.slice(0, -'.rawId'.length), rawId: cell }
      : [],
  )

export const parseFirebase: ParseRecord = (value) => {
  const user = v.parse(record, value)
  const identities: Identity[] = user.providerUserInfo ?? findCellIdentities(user)
  return {
    externalId: user.localId,
    createdAtMs: user.createdAt,
    block: user.disabled ? { reason: null } : undefined,
    accounts: [
      ...emailAccount(user.email, user.emailVerified),
      // Firebase has no flag for it: a number is a login method, which sends a code to it.
      ...phoneAccount(user.phoneNumber, true),
      ...identities
        .filter(({ providerId }) => !ownProviders.has(providerId))
        .map(({ providerId, rawId }): SourceAccount => providerAccount(providers, providerId, rawId)),
    ],
    metadata: collectMetadata({ custom_attributes: user.customAttributes }),
  }
}
