/** Clerk: users of `GET /v1/users` and `clerk migrate export`, and the CSV of the dashboard. */
import * as v from 'valibot'
import {
  collectMetadata,
  emailAccount,
  flag,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  providerAccount,
  type SourceAccount,
  type SourceUser,
  subject,
  timeMs,
} from './source.ts'

const verification = maybe(v.object({ status: optionalText }))

const apiRecord = v.object({
  id: v.string(),
  created_at: timeMs,
  banned: flag,
  email_addresses: v.array(v.object({ email_address: v.string(), verification })),
  phone_numbers: maybe(v.array(v.object({ phone_number: v.string(), verification }))),
  external_accounts: maybe(
    v.array(v.object({ provider: v.string(), provider_user_id: maybe(subject), verification })),
  ),
  web3_wallets: maybe(v.array(v.object({ web3_wallet: v.string(), verification }))),
  public_metadata: maybe(v.unknown()),
  private_metadata: maybe(v.unknown()),
  unsafe_metadata: maybe(v.unknown()),
})

/** A cell of the dashboard's CSV with several addresses or numbers. */
const list = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((cell) => cell.split(/[|,;]/).flatMap((part) => part.trim() || [])),
)

const csvRecord = v.object({
  id: v.string(),
  verified_email_addresses: list,
  unverified_email_addresses: list,
  verified_phone_numbers: list,
  unverified_phone_numbers: list,
})

const providers = {
  oauth_google: 'google_oauth',
  oauth_apple: 'apple_oauth',
  oauth_discord: 'discord_oauth',
  oauth_github: 'github_oauth',
  oauth_linkedin_oidc: 'linkedin_oauth',
  oauth_spotify: 'spotify_oauth',
  oauth_x: 'twitter_oauth',
  oauth_tiktok: 'tiktok_oauth',
} as const

type Verification = v.InferOutput<typeof verification>
const isVerified = (verified: Verification) => verified?.status === 'verified'

export const parseClerk: ParseRecord = (value) => {
  if (!Object.hasOwn(Object(value), 'email_addresses')) return parseCsv(value)
  const user = v.parse(apiRecord, value)
  return {
    externalId: user.id,
    createdAtMs: user.created_at,
    block: user.banned ? { reason: null } : undefined,
    accounts: [
      ...user.email_addresses.flatMap((email) =>
        emailAccount(email.email_address, isVerified(email.verification)),
      ),
      ...(user.phone_numbers ?? []).flatMap((phone) =>
        phoneAccount(phone.phone_number, isVerified(phone.verification)),
      ),
      ...(user.external_accounts ?? []).map(
        (account): SourceAccount =>
          isVerified(account.verification)
            ? providerAccount(providers, account.provider, account.provider_user_id)
            : { omission: 'unsupported_account' },
      ),
      ...(user.web3_wallets ?? []).map(
        (wallet): SourceAccount =>
          isVerified(wallet.verification)
            ? { type: 'wallet', identifier: wallet.web3_wallet }
            : { omission: 'unsupported_account' },
      ),
    ],
    metadata: collectMetadata({
      public_metadata: user.public_metadata,
      private_metadata: user.private_metadata,
      unsafe_metadata: user.unsafe_metadata,
    }),
  }
}

function parseCsv(value: unknown): SourceUser {
  const user = v.parse(csvRecord, value)
  return {
    externalId: user.id,
    accounts: [
      ...user.verified_email_addresses.flatMap((address) => emailAccount(address, true)),
      ...user.unverified_email_addresses.flatMap((address) => emailAccount(address, false)),
      ...user.verified_phone_numbers.flatMap((number) => phoneAccount(number, true)),
      ...user.unverified_phone_numbers.flatMap((number) => phoneAccount(number, false)),
    ],
  }
}
