/** How a user is told apart from others of theirs: by what they log in with. */
import type { LinkedAccount, UserRecord } from '@latchkey/protocol'

export function accountOf({ linkedAccounts }: UserRecord): string | undefined {
  for (const account of linkedAccounts) {
    const name = nameOf(account)
    if (name) return name
  }
  return undefined
}

function nameOf(account: LinkedAccount): string | null | undefined {
  switch (account.type) {
    case 'email':
      return account.address
    case 'phone':
      return account.phoneNumber
    case 'wallet':
      return account.connectorType === 'embedded' ? undefined : account.address
    case 'google_oauth':
    case 'spotify_oauth':
    case 'linkedin_oauth':
      return account.email ?? account.name
    case 'apple_oauth':
      return account.email
    case 'twitter_oauth':
    case 'discord_oauth':
    case 'github_oauth':
    case 'instagram_oauth':
    case 'tiktok_oauth':
    case 'farcaster':
    case 'telegram':
      return account.username
    case 'custom_auth':
      return account.customUserId
    case 'passkey':
    case 'cross_app':
      return undefined
    default:
      return account satisfies never
  }
}
