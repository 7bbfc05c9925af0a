import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  toOpen: {
    title: 'One more step',
    detail: 'Your browser asks for this passkey in a window of its own.',
    open: 'Continue',
  },
  waiting: {
    title: 'Go on in the window that opened',
    detail: 'This card goes on by itself as soon as your passkey has answered there.',
    blocked: 'If you see no such window, your browser may have blocked it. Open it here.',
    again: 'Open again',
    cancel: 'Cancel',
  },
  inApp: {
    title: 'Open this page in your browser',
    detail: 'Your passkey is asked in a window of its own, which this app cannot open.',
    leave: 'Go back',
  },
  page: {
    reading: { title: 'One moment', detail: 'This page finds out what your passkey is to be asked.' },
    get: {
      title: 'Use your passkey',
      detail: (app: string) => `With it you confirm in ${app} that it is you.`,
      go: 'Use passkey',
    },
    create: {
      title: 'Create a passkey',
      detail: (app: string) => `It is added to your account in ${app}.`,
      go: 'Create passkey',
    },
    wasRefused: 'Passkey request timed out or rejected by user.',
    cancel: 'Cancel',
    asking: { title: 'Waiting for your passkey', detail: 'Follow the steps that your device shows.' },
    telling: { title: 'One moment', detail: 'The app is told what your passkey answered.' },
    answered: { title: 'Done', detail: 'The app goes on by itself. You can close this window.' },
    refused: { title: 'Canceled', detail: 'Nothing was done. You can close this window.' },
    over: {
      answered: {
        title: 'This was answered already',
        detail: 'It can be answered once. Close this window, and try again in the app.',
      },
      unknown: {
        title: 'There is no such request',
        detail: 'It may have expired. Close this window, and try again in the app.',
      },
    },
    unreachable: {
      title: 'This page could not go on',
      detail: 'The server or the network did not answer.',
      retry: 'Try again',
    },
  },
} as const
export type PasskeyWindowTexts = Widen<typeof english>
