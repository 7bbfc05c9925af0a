/** Login methods by their switch in the app, and names that a host gives and that are none. */
import {
  type AppConfig,
  type ClientConfig,
  isCrossAppProvider,
  product,
  type SwitchedLoginMethod,
} from '@latchkey/protocol'

export const settingOfMethod: { readonly [method in SwitchedLoginMethod]: keyof AppConfig } = {
  email: 'emailAuth',
  sms: 'smsAuth',
  apple: 'appleOauth',
  discord: 'discordOauth',
  github: 'githubOauth',
  google: 'googleOauth',
  linkedin: 'linkedinOauth',
  spotify: 'spotifyOauth',
  instagram: 'instagramOauth',
  twitter: 'twitterOauth',
  tiktok: 'tiktokOauth',
  wallet: 'walletAuth',
  farcaster: 'farcasterAuth',
  passkey: 'passkeyAuth',
  telegram: 'telegramAuth',
}

/** A sentence each, for whoever builds the host. */
export function idleLoginMethods({ loginMethods: chosen = [], loginMethodsAndOrder: order }: ClientConfig) {
  const named = [...chosen, ...(order?.primary ?? []), ...(order?.overflow ?? [])]
  return [...new Set(named)]
    .filter((name) => !Object.hasOwn(settingOfMethod, name) && !isCrossAppProvider(name))
    .map(idleWarning)
}

const shownNameLength = 64

const idleWarning = (method: string) =>
  `The login method "${method.slice(0, shownNameLength)}" is on, but this release of ${product.name} does not have it.`
