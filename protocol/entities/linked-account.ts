import * as v from 'valibot'
import { keepsName } from '../names/naming.ts'
import { chainTypes } from './chain-types.ts'
import { epochSeconds, fid, text } from './primitives.ts'

const times = {
  verifiedAt: epochSeconds,
  firstVerifiedAt: v.nullable(epochSeconds),
  latestVerifiedAt: v.nullable(epochSeconds),
}
const maybe = v.exactOptional(v.nullable(text))

const account = <const T extends string, E extends v.ObjectEntries>(type: T, entries: E) =>
  v.object({ type: v.literal(type), ...entries, ...times })

export const socialProviders = [
  'apple',
  'discord',
  'github',
  'google',
  'linkedin',
  'spotify',
  'instagram',
  'twitter',
  'tiktok',
] as const
export type SocialProvider = (typeof socialProviders)[number]

/** What its user keeps for it. */
export const userOwnedRecoveryOptions = ['user-passcode', 'google-drive', 'icloud', 'passkey'] as const
export const recoveryMethods = ['latchkey', ...userOwnedRecoveryOptions] as const
export type RecoveryMethod = (typeof recoveryMethods)[number]

/** An external wallet, or one of ours: `walletClientType` tells. */
export const walletAccountSchema = account('wallet', {
  address: text,
  chainType: v.picklist(chainTypes),
  chainId: v.exactOptional(text),
  publicKey: v.exactOptional(text),
  walletClient: v.exactOptional(v.picklist(['unknown', 'latchkey'])),
  walletClientType: v.exactOptional(text),
  connectorType: v.exactOptional(text),
  imported: v.exactOptional(v.boolean()),
  walletIndex: v.exactOptional(v.number()),
  recoveryMethod: v.exactOptional(v.picklist(recoveryMethods)),
})
export type WalletAccount = v.InferOutput<typeof walletAccountSchema>
/** A wallet that a page may ask for things, and that nobody has proved to be theirs. */
export type ConnectedWallet = Pick<
  WalletAccount,
  'type' | 'address' | 'chainType' | 'chainId' | 'walletClientType' | 'connectorType'
>

const named = { subject: text, email: maybe, name: maybe }
const addressed = v.object({ address: text })

export const linkedAccountSchema = v.variant('type', [
  account('email', { address: text }),
  account('phone', { phoneNumber: v.pipe(text, keepsName()) }),
  walletAccountSchema,
  account('google_oauth', named),
  // Spotify does not verify addresses: whose account it is says nothing about whose mailbox.
  account('spotify_oauth', { ...named, emailVerified: v.exactOptional(v.literal(false)) }),
  account('twitter_oauth', { subject: text, username: maybe, name: maybe, profilePictureUrl: maybe }),
  account('discord_oauth', { subject: text, username: maybe, email: maybe }),
  account('github_oauth', { subject: text, username: maybe, name: maybe, email: maybe }),
  account('instagram_oauth', { subject: text, username: maybe }),
  account('tiktok_oauth', { subject: text, username: maybe, name: maybe }),
  account('linkedin_oauth', { subject: text, name: maybe, email: maybe, vanityName: maybe }),
  account('apple_oauth', { subject: text, email: maybe }),
  account('farcaster', {
    fid,
    ownerAddress: text,
    username: maybe,
    displayName: maybe,
    bio: maybe,
    profilePicture: maybe,
    profilePictureUrl: maybe,
    homepageUrl: maybe,
    signerPublicKey: maybe,
  }),
  account('telegram', {
    telegramUserId: text,
    firstName: maybe,
    lastName: maybe,
    username: maybe,
    photoUrl: maybe,
  }),
  account('passkey', {
    credentialId: text,
    authenticatorName: maybe,
    createdWithBrowser: maybe,
    createdWithOs: maybe,
    createdWithDevice: maybe,
    enrolledInMfa: v.boolean(),
  }),
  account('cross_app', {
    subject: text,
    providerAppId: text,
    embeddedWallets: v.array(addressed),
    smartWallets: v.array(addressed),
  }),
  account('custom_auth', { customUserId: text }),
])
export type LinkedAccount = v.InferOutput<typeof linkedAccountSchema>
export type LinkedAccountType = LinkedAccount['type']
