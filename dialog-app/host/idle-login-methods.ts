/** Login methods that an app or a host turned on, and that this release does not have. */
import {
  type AppConfig,
  type ClientConfig,
  type LoginMethod,
  loginMethods,
  product,
} from '@latchkey/protocol'

export const settingOfMethod: { readonly [method in LoginMethod]: keyof AppConfig } = {
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
export function idleLoginMethods(
  { app, config }: { readonly app: AppConfig; readonly config: ClientConfig },
  made: ReadonlySet<string>,
): readonly string[] {
  const { loginMethods: chosen = [], loginMethodsAndOrder: order } = config
  const byApp = loginMethods.filter((method) => app[settingOfMethod[method]] === true)
  const byHost = [...chosen, ...(order?.primary ?? []), ...(order?.overflow ?? [])]
  const idle = new Set([...byApp, ...byHost].filter((method) => !made.has(method)))
  return [...idle].map(idleWarning)
}

const shownNameLength = 64

const idleWarning = (method: string) =>
  `The login method "${method.slice(0, shownNameLength)}" is on, but this release of ${product.name} does not have it.`
