import type { Linkable } from '../types/latchkey.ts'

/** What can be linked, as the methods `linkEmail()` and `unlinkEmail(address)` write it. */
export const linkable = [
  'Email',
  'Phone',
  'Wallet',
  'Passkey',
  'Apple',
  'Discord',
  'Github',
  'Google',
  'LinkedIn',
  'Spotify',
  'Instagram',
  'Twitter',
  'Tiktok',
  'Farcaster',
  'Telegram',
] as const satisfies readonly Linkable[]
