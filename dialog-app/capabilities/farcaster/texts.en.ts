import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: { label: 'Farcaster', alone: 'Continue with Farcaster' },
  opening: { title: 'Connecting to Farcaster', detail: 'This takes a moment.' },
  scan: {
    title: 'Sign in with Farcaster',
    detail: 'Scan this code with the camera of your phone, then approve in your Farcaster app.',
    label: 'Code that opens your Farcaster app',
  },
  follow: {
    title: 'Sign in with Farcaster',
    detail: 'Approve in your Farcaster app, then come back here.',
    link: 'Take me to Warpcast',
  },
  approved: { title: 'Verifying your Farcaster account', detail: 'This takes a moment.' },
  success: { title: 'Connected to Farcaster', detail: 'Farcaster has confirmed who you are.' },
  failed: { title: 'Authentication failed', retry: 'Retry', back: 'Go back' },
  failures: {
    linked: 'This account has already been linked to another user.',
    credentials: 'Something went wrong. Try again.',
    limit: 'Too many requests. Please wait before trying again.',
    timeout: 'The request timed out. Try again.',
    onlyOne: 'You cannot link more than one Farcaster account.',
    notAllowed: 'This app does not take Farcaster accounts.',
    unexpected: 'Something went wrong. Please try again.',
  },
} as const
export type FarcasterTexts = Widen<typeof english>
