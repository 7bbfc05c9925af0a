/** Privy: users of `GET /v1/users`. */
import * as v from 'valibot'
import {
  collectMetadata,
  emailAccount,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  type SourceAccount,
  subject,
} from './source.ts'

const linkedAccount = v.object({
  type: v.string(),
  /** Null before the first login with the account. */
  latest_verified_at: maybe(v.number()),
  verified_at: maybe(v.number()),
  address: optionalText,
  phone_number: optionalText,
  number: optionalText,
  subject: maybe(subject),
  custom_user_id: optionalText,
  fid: maybe(subject),
  telegram_user_id: maybe(subject),
  chain_type: optionalText,
  connector_type: optionalText,
  wallet_client_type: optionalText,
})
type LinkedAccount = v.InferOutput<typeof linkedAccount>

const record = v.object({
  id: v.string(),
  /** Seconds since 1970. */
  created_at: maybe(v.number()),
  linked_accounts: v.array(linkedAccount),
  custom_metadata: maybe(v.unknown()),
})

function parseAccount(account: LinkedAccount): SourceAccount[] {
  const { type } = account
  const isVerified = (account.latest_verified_at ?? account.verified_at ?? null) !== null
  if (type === 'email') return emailAccount(account.address, isVerified)
  if (type === 'phone') return phoneAccount(account.phone_number ?? account.number, isVerified)
  if (type === 'passkey') return [{ omission: 'passkey' }]
  if (
    type === 'wallet' &&
    (account.connector_type === 'embedded' || account.wallet_client_type === 'privy')
  ) {
    return [{ omission: 'embedded_wallet' }]
  }
  const identifier = findIdentifier(account)
  return [isVerified && identifier ? { type, identifier } : { omission: 'unsupported_account' }]
}

function findIdentifier(account: LinkedAccount): string | null | undefined {
  switch (account.type) {
    case 'wallet':
      return account.chain_type === 'ethereum' ? account.address : undefined
    case 'custom_auth':
      return account.custom_user_id
    case 'farcaster':
      return account.fid
    case 'telegram':
      return account.telegram_user_id
    case 'cross_app':
      return undefined
    default:
      return account.subject
  }
}

export const parsePrivy: ParseRecord = (value) => {
  const user = v.parse(record, value)
  return {
    externalId: user.id,
    createdAtMs: user.created_at ? user.created_at * 1_000 : undefined,
    accounts: user.linked_accounts.flatMap(parseAccount),
    metadata: collectMetadata({ custom_metadata: user.custom_metadata }),
  }
}
