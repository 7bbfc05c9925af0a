/** Supabase: rows of `auth.users` with their `auth.identities`, by the query in docs/moving-users.md. */
import * as v from 'valibot'
import {
  collectMetadata,
  emailAccount,
  json,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  providerAccount,
  RecordError,
  type SourceAccount,
  subject,
  timeMs,
} from './source.ts'

const record = v.object({
  id: v.string(),
  email: optionalText,
  email_confirmed_at: optionalText,
  phone: optionalText,
  phone_confirmed_at: optionalText,
  created_at: timeMs,
  banned_until: timeMs,
  deleted_at: optionalText,
  raw_app_meta_data: maybe(json(v.unknown())),
  raw_user_meta_data: maybe(json(v.unknown())),
  identities: maybe(json(v.array(v.object({ provider: v.string(), provider_id: maybe(subject) })))),
})

const providers = {
  google: 'google_oauth',
  apple: 'apple_oauth',
  discord: 'discord_oauth',
  github: 'github_oauth',
  linkedin_oidc: 'linkedin_oauth',
  spotify: 'spotify_oauth',
  twitter: 'twitter_oauth',
} as const

/** The address or number itself is the account. */
const ownProviders: ReadonlySet<string> = new Set(['email', 'phone'])

export const parseSupabase: ParseRecord = (value, nowMs) => {
  const user = v.parse(record, value)
  if (user.deleted_at) throw new RecordError('deleted_at_source')
  // Supabase stores numbers without the plus sign.
  const phone = user.phone && !user.phone.startsWith('+') ? `+${user.phone}` : user.phone
  return {
    externalId: user.id,
    createdAtMs: user.created_at,
    block: (user.banned_until ?? 0) > nowMs ? { reason: null } : undefined,
    accounts: [
      ...emailAccount(user.email, Boolean(user.email_confirmed_at)),
      ...phoneAccount(phone, Boolean(user.phone_confirmed_at)),
      ...(user.identities ?? [])
        .filter(({ provider }) => !ownProviders.has(provider))
        .map(
          (identity): SourceAccount => providerAccount(providers, identity.provider, identity.provider_id),
        ),
    ],
    metadata: collectMetadata({
      app_meta_data: user.raw_app_meta_data,
      user_meta_data: user.raw_user_meta_data,
    }),
  }
}
