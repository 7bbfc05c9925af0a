/** Dynamic: users of `GET /environments/{id}/users`. Their proofs are verified credentials. */
import * as v from 'valibot'
import {
  collectMetadata,
  emailAccount,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  providerAccount,
  type SourceAccount,
  subject,
  timeMs,
} from './source.ts'

/** Some answers of the API have the fields of a credential in snake case. */
const credential = v.object({
  format: v.string(),
  email: optionalText,
  address: optionalText,
  chain: optionalText,
  phoneNumber: optionalText,
  phoneCountryCode: optionalText,
  oauthProvider: optionalText,
  oauth_provider: optionalText,
  oauthAccountId: maybe(subject),
  oauth_account_id: maybe(subject),
  walletProvider: optionalText,
  wallet_provider: optionalText,
})
type Credential = v.InferOutput<typeof credential>

const record = v.object({
  id: v.string(),
  createdAt: timeMs,
  verifiedCredentials: v.array(credential),
  metadata: maybe(v.unknown()),
})

const providers = {
  google: 'google_oauth',
  apple: 'apple_oauth',
  discord: 'discord_oauth',
  github: 'github_oauth',
  twitter: 'twitter_oauth',
  tiktok: 'tiktok_oauth',
  spotify: 'spotify_oauth',
  farcaster: 'farcaster',
  telegram: 'telegram',
} as const

const ethereumChains: ReadonlySet<string> = new Set(['eip155', 'EVM', 'ETH'])

function parseCredential(proof: Credential): SourceAccount[] {
  switch (proof.format) {
    case 'email':
      return emailAccount(proof.email, true)
    case 'phoneNumber': {
      const code = proof.phoneCountryCode ?? ''
      return phoneAccount(proof.phoneNumber && `${code}${proof.phoneNumber}`.replace(/^(?!\+)/, '+'), true)
    }
    case 'oauth': {
      const provider = proof.oauthProvider ?? proof.oauth_provider ?? ''
      return [providerAccount(providers, provider, proof.oauthAccountId ?? proof.oauth_account_id)]
    }
    case 'blockchain': {
      if ((proof.walletProvider ?? proof.wallet_provider) === 'embeddedWallet') {
        return [{ omission: 'embedded_wallet' }]
      }
      const isEthereum = ethereumChains.has(proof.chain ?? '')
      return [
        isEthereum && proof.address
          ? { type: 'wallet', identifier: proof.address }
          : { omission: 'unsupported_account' },
      ]
    }
    case 'passkey':
      return [{ omission: 'passkey' }]
    default:
      return [{ omission: 'unsupported_account' }]
  }
}

export const parseDynamic: ParseRecord = (value) => {
  const user = v.parse(record, value)
  return {
    externalId: user.id,
    createdAtMs: user.createdAt,
    accounts: user.verifiedCredentials.flatMap(parseCredential),
    metadata: collectMetadata({ metadata: user.metadata }),
  }
}
