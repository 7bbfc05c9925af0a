/**
 * OAuth providers, by the names in host calls such as `linkGithub()`. The loader ships only these names. App settings,
 * account types and server variables derive from the keys.
 */
export const socialCallNames = {
  google: 'Google',
  apple: 'Apple',
  discord: 'Discord',
  github: 'Github',
  linkedin: 'LinkedIn',
  spotify: 'Spotify',
  instagram: 'Instagram',
  twitter: 'Twitter',
  tiktok: 'Tiktok',
} as const

export type SocialProvider = keyof typeof socialCallNames
export const socialProviders = /* @__PURE__ */ Object.keys(socialCallNames) as readonly SocialProvider[]

/** The display name, and the account fields besides the subject. */
export type SocialProviderRow = {
  title: string
  fields: readonly ('email' | 'username' | 'name' | 'profilePictureUrl' | 'vanityName' | 'emailVerified')[]
}

export const socialProviderRows = {
  google: { title: 'Google', fields: ['email', 'name'] },
  apple: { title: 'Apple', fields: ['email'] },
  discord: { title: 'Discord', fields: ['username', 'email'] },
  github: { title: 'GitHub', fields: ['username', 'name', 'email'] },
  linkedin: { title: 'LinkedIn', fields: ['name', 'email', 'vanityName'] },
  // Spotify does not verify e-mail addresses, so an account proves nothing about its mailbox.
  spotify: { title: 'Spotify', fields: ['email', 'name', 'emailVerified'] },
  instagram: { title: 'Instagram', fields: ['username'] },
  twitter: { title: 'X', fields: ['username', 'name', 'profilePictureUrl'] },
  tiktok: { title: 'TikTok', fields: ['username', 'name'] },
} as const satisfies { [Provider in SocialProvider]: SocialProviderRow }
