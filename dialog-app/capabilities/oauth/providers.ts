/** What a provider is called and looks like, the same in every language. */
import type { SocialProvider } from '@latchkey/protocol'
import { apple } from '../../ui/marks/brands/apple.ts'
import { discord } from '../../ui/marks/brands/discord.ts'
import { github } from '../../ui/marks/brands/github.ts'
import { google } from '../../ui/marks/brands/google.ts'
import { instagram } from '../../ui/marks/brands/instagram.ts'
import { linkedin } from '../../ui/marks/brands/linkedin.ts'
import { spotify } from '../../ui/marks/brands/spotify.ts'
import { tiktok } from '../../ui/marks/brands/tiktok.ts'
import { x } from '../../ui/marks/brands/x.ts'
import type { Look } from '../../window-login/waiting-screen.tsx'

export type { SocialProvider }

export const providers: {
  readonly [provider in SocialProvider]: Look
} = {
  apple: { title: 'Apple', mark: apple },
  discord: { title: 'Discord', mark: discord },
  github: { title: 'GitHub', mark: github },
  google: { title: 'Google', mark: google },
  linkedin: { title: 'LinkedIn', mark: linkedin },
  spotify: { title: 'Spotify', mark: spotify },
  instagram: { title: 'Instagram', mark: instagram },
  twitter: { title: 'X', mark: x },
  tiktok: { title: 'TikTok', mark: tiktok },
}
