/** Auth0: the files of `POST /api/v2/jobs/users-exports`, as JSON or CSV. */
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

const record = v.object({
  user_id: v.string(),
  email: optionalText,
  email_verified: flag,
  phone_number: optionalText,
  phone_verified: flag,
  created_at: timeMs,
  blocked: flag,
  identities: maybe(json(v.array(v.object({ provider: v.string(), user_id: subject })))),
  app_metadata: maybe(json(v.unknown())),
  user_metadata: maybe(json(v.unknown())),
})

const providers = {
  'google-oauth2': 'google_oauth',
  apple: 'apple_oauth',
  discord: 'discord_oauth',
  github: 'github_oauth',
  spotify: 'spotify_oauth',
  twitter: 'twitter_oauth',
} as const

/** Connections of addresses and passwords. The address itself is the account. */
const ownConnections: ReadonlySet<string> = new Set(['auth0', 'email', 'sms'])

export const parseAuth0: ParseRecord = (value) => {
  const user = v.parse(record, value)
  const [, provider = '', id = ''] = /^([^|]*)\|(.*)$/s.exec(user.user_id) ?? []
  const identities = user.identities ?? [{ provider, user_id: id }]
  return {
    externalId: user.user_id,
    createdAtMs: user.created_at,
    block: user.blocked ? { reason: null } : undefined,
    accounts: [
      ...emailAccount(user.email, user.email_verified),
      ...phoneAccount(user.phone_number, user.phone_verified),
      ...identities
        .filter((identity) => !ownConnections.has(identity.provider))
        .map((identity): SourceAccount => providerAccount(providers, identity.provider, identity.user_id)),
    ],
    metadata: collectMetadata({ app_metadata: user.app_metadata, user_metadata: user.user_metadata }),
  }
}
