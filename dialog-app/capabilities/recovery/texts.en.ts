import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  cancel: 'Cancel',
  preparing: 'Preparing',
  tooNew: {
    title: 'Not with this login yet',
    detail:
      'This device does not have your wallet yet. What you logged in or verified with was added to your account only lately, so it does not bring the wallet here.',
    until: (when: string) => `It counts as new until ${when}.`,
    older: 'What you had before brings the wallet here now.',
    again: 'Log out, and log in the way you did before.',
    logIn: 'Log in with another method',
    verify: 'Verify with another method',
    back: 'Back',
  },
  selection: {
    title: 'Secure your account',
    detail: 'Choose how your wallet comes back to you on a new device. Nobody but you can use it.',
    options: { passkey: 'Passkey', 'google-drive': 'Google Drive backup', icloud: 'Apple iCloud backup' },
    none: 'This browser has none of the ways in which this app keeps a wallet. Please use another browser.',
    setPassword: 'Set password',
    resetPassword: 'Reset password',
    present: 'In use',
    why: 'Your wallet is kept in parts, one of them on this device. If you lose the device, what you choose here and your login bring the wallet back.',
  },
  cloud: {
    set: {
      title: (cloud: string) => `Back up to ${cloud}`,
      detail: (cloud: string) =>
        `A key is put into a folder of your ${cloud} that only this app can see. It brings your wallet to every new device.`,
      working: 'Securing your account',
      workingDetail: 'This takes a few seconds. Please keep this page open.',
    },
    recover: {
      title: (cloud: string) => `Recover with ${cloud}`,
      detail: (cloud: string) =>
        `This device does not have your wallet yet. The key in your ${cloud} brings it here.`,
      working: 'Recovering your wallet',
      workingDetail: 'This takes a few seconds. Please keep this page open.',
    },
    open: (cloud: string) => `Continue with ${cloud}`,
    again: 'Try again',
    waiting: {
      title: (cloud: string) => `Waiting for ${cloud}`,
      open: (cloud: string) => `Sign in to ${cloud} in the window that opened.`,
      none: (cloud: string) => `Sign in to ${cloud} in the window that opened. If there is none, try again.`,
      closed: (cloud: string) => `The window of ${cloud} was closed.`,
    },
    done: 'Your account is secured',
    doneDetail: (cloud: string) => `On a new device, your ${cloud} opens your wallet.`,
    why: (cloud: string) =>
      `Your wallet is kept in parts, one of them on this device. If you lose the device, the key in your ${cloud} and your login bring the wallet back.`,
    problems: {
      closed: (_cloud: string) => 'The window was closed before anything was done.',
      'in-app': (_cloud: string) =>
        'A browser inside of an app opens no windows. Open this page in your own browser, and try again there.',
      denied: (cloud: string) => `You did not allow it at ${cloud}. Try again, and allow it.`,
      late: (cloud: string) => `${cloud} did not answer in time. Please try again.`,
      unseen: (cloud: string) =>
        `On this page nothing can be heard of the window of ${cloud}. Please choose another way.`,
      noAccess: (cloud: string) => `${cloud} did not give access to the folder. Try again, and allow it.`,
      missing: (cloud: string) =>
        `The key of this wallet is not in this ${cloud}. Try again with the account that you secured it with.`,
      foreign: (cloud: string) => `What lies in this ${cloud} does not open this wallet.`,
      full: (cloud: string) => `Your ${cloud} is full. Make some room, and try again.`,
      changedElsewhere: (_cloud: string) =>
        'The recovery was changed on another page at the same time. Please try again.',
      failed: (_cloud: string) => 'An error has occurred, please try again.',
    },
  },
  done: { close: 'All done' },
  window: {
    asking: {
      'user-passcode': {
        set: {
          title: 'Create your password',
          detail:
            'It secures your account on every new device. You choose it in a window of your wallet, so that no page around it sees it.',
          open: 'Continue',
        },
        update: {
          title: 'Update your password',
          detail:
            'Your account is secured by a password. Choose a new one, and the one before opens nothing any more.',
          open: 'Set a new password',
        },
        recover: {
          title: 'Enter your password',
          detail:
            'This device does not have your wallet yet. Your recovery password brings it here. You type it in a window of your wallet, and nowhere else.',
          open: 'Continue',
        },
      },
      passkey: {
        set: {
          title: 'Secure with a passkey',
          detail:
            'A new passkey is made for your wallet alone. It brings the wallet to every new device that has it.',
          open: 'Continue',
        },
        update: {
          title: 'Secure with a passkey',
          detail:
            'A new passkey is made for your wallet alone. It brings the wallet to every new device that has it.',
          open: 'Continue',
        },
        recover: {
          title: 'Recover with your passkey',
          detail:
            'This device does not have your wallet yet. The passkey that you secured it with brings it here.',
          open: 'Continue',
        },
      },
    },
    waiting: {
      title: 'Continue in the window of your wallet',
      open: 'Look at its address before you type anything. This page goes on by itself.',
      none: 'It should be open now. If there is none, open it again.',
      closed: 'The window was closed.',
    },
    again: 'Open it again',
    done: {
      'user-passcode': {
        title: 'Password set',
        detail: 'On a new device, your password opens your wallet.',
      },
      passkey: {
        title: 'Your account is secured',
        detail: 'On a new device, your passkey opens your wallet.',
      },
    },
    problems: {
      closed: 'The window was closed before anything was done.',
      'in-app':
        'A browser inside of an app opens no windows. Open this page in your own browser, and try again there.',
      'cut-off':
        'This page keeps its windows apart, so this can not be done here. Use your account on another page of the app.',
      locked: 'Too many tries. Please try again later.',
      changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
      failed: 'An error has occurred, please try again.',
    },
  },
  why: {
    question: 'Why do I need to secure my account?',
    answers: {
      'user-passcode':
        'Your wallet is kept in parts, one of them on this device. If you lose the device, your password and your login bring the wallet back.',
      passkey:
        'Your wallet is kept in parts, one of them on this device. If you lose the device, this passkey and your login bring the wallet back. It is not the passkey that you log in with, so keep it when you remove that one.',
    },
  },
} as const
export type RecoveryTexts = Widen<typeof english>
