import type { Widen } from '../../i18n/catalogue.ts'

const title = (app: string) => `Allow ${app} to write to Farcaster`

export const english = {
  opening: { title: 'Connecting to Farcaster', detail: 'This takes a moment.' },
  scan: {
    title,
    detail:
      'Scan this code with the camera of your phone, then approve in your Farcaster app. What is written in your name is signed with a key of your wallet.',
    label: 'Code that opens your Farcaster app',
  },
  follow: {
    title,
    detail:
      'Approve in your Farcaster app, then come back here. What is written in your name is signed with a key of your wallet.',
    link: 'Take me to Warpcast',
  },
  success: {
    title: 'Connected to Farcaster',
    detail: (app: string) => `${app} can now write for your Farcaster account.`,
  },
  failed: { title: 'Connect failed', retry: 'Retry', back: 'Go back' },
  rejected: { title: 'Request rejected', detail: 'The request was rejected. Please try again.' },
  failures: {
    unexpected: 'Something went wrong. Please try again.',
    timeout: 'The request timed out. Try again.',
    limit: 'Too many requests. Please wait before trying again.',
    notSupported: 'Your wallet or this app can not do this.',
  },
} as const
export type SignerTexts = Widen<typeof english>
