/**
 * The OAuth providers, a row each: the name that people know, and what an account there holds beside its subject. The
 * name that calls of a page have for a provider stands in `login-method-names.ts`. The switch in an app's settings, the
 * type of the account and the server's variable follow from the key.
 */
import type { SocialProvider } from './login-method-names.ts'

export type SocialProviderRow = {
  readonly title: string
  readonly fields: readonly (
    | 'email'
    | 'username'
    | 'name'
    | 'profilePictureUrl'
    | 'vanityName'
    | 'emailVerified'
  )[]
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
} as const satisfies { readonly [Provider in SocialProvider]: SocialProviderRow }
