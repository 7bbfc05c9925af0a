import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: { label: 'I have a passkey' },
  waiting: {
    title: 'Waiting for your passkey',
    detail: 'Follow the steps that your device shows.',
  },
  success: { title: 'Success', detail: 'You are logged in.' },
  error: {
    title: 'Something went wrong',
    retry: 'Retry',
    firstOne: 'You will have to sign up with another method first to register a passkey for your account.',
  },
  problems: {
    tooMany: 'Cannot link more passkeys to account.',
    notAllowed: 'Passkey request timed out or rejected by user.',
    unknown: 'An unknown error occurred.',
    unknownOnLink: 'Unknown error occurred.',
  },
  link: {
    title: 'Your passkeys',
    detail: 'With a passkey you log in the way you unlock your device.',
    full: 'You have as many passkeys as an account can have. Unlink one to add another.',
    unlink: 'Unlink',
    unknownDevice: 'Unknown device',
    viewAll: 'View all',
    add: 'Add new passkey',
    adding: 'Adding a passkey',
    added: 'Passkey added',
    addedDetail: 'You can now log in with it.',
  },
} as const
export type PasskeyTexts = Widen<typeof english>
