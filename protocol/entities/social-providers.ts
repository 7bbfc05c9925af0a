/**
 * The OAuth providers: the name that the calls of a page have for each, `linkGithub()`, and a row each. The loader ships
 * the names of calls alone. The switch in an app's settings, the type of the account and the server's variable follow from
 * the key.
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

/** The name that people know, and what an account there holds beside its subject. */
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
  // Spotify does not verify addresses: whose account it is says nothing about whose mailbox.
  spotify: { title: 'Spotify', fields: ['email', 'name', 'emailVerified'] },
  instagram: { title: 'Instagram', fields: ['username'] },
  twitter: { title: 'X', fields: ['username', 'name', 'profilePictureUrl'] },
  tiktok: { title: 'TikTok', fields: ['username', 'name'] },
} as const satisfies { [Provider in SocialProvider]: SocialProviderRow }
