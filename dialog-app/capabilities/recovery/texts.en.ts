import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  strength: { label: 'Password strength', weak: 'Weak', medium: 'Medium', strong: 'Strong' },
  password: { show: 'Show', hide: 'Hide' },
  creating: {
    title: 'Create your password',
    updateTitle: 'Choose a new password',
    detail:
      'It secures your account on every new device. Nobody else knows it, and nobody can reset it for you.',
    label: 'Password',
    generate: 'Generate a strong password',
    next: 'Continue',
  },
  saving: {
    title: 'Save your password',
    detail: 'Keep it where only you find it: in a password manager, or in a file of your own.',
    label: 'Your password',
    copy: 'Copy to clipboard',
    copied: 'Copied',
    download: 'Download recovery file',
    next: 'Continue',
    file: {
      title: (app: string) => `Wallet recovery for ${app}`,
      password: (password: string) => `Password: ${password}`,
      advice:
        'Who has this password and your login can open your wallet. Keep this file where only you find it.',
    },
  },
  confirming: {
    title: 'Confirm your password',
    detail: 'Enter it once more, so that you know it is saved.',
    label: 'Password',
    next: 'Continue',
  },
  finalizing: {
    title: 'One last thing',
    detail: 'We do not know your password, so we can not give it back to you.',
    understood:
      'I understand that if I lose my password and device, I will lose access to my account and my assets.',
    set: 'Set Password',
    setting: 'Setting password',
  },
  done: {
    title: 'Password set',
    detail: 'On a new device, your password opens your wallet.',
    close: 'All done',
  },
  cancel: 'Cancel',
  splash: {
    title: 'Update your password',
    detail:
      'Your account is secured by a password. Choose a new one, and the one before opens nothing any more.',
    next: 'Set a new password',
  },
  recover: {
    title: 'Enter your password',
    detail: 'This device does not have your wallet yet. Your recovery password brings it here.',
    label: 'Recovery password',
    recover: 'Recover',
    recovering: 'Recovering',
    locked: (minutes: number) =>
      `Too many tries. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  },
  tooNew: {
    title: 'Not with this login yet',
    detail:
      'This device does not have your wallet yet. What you logged in or verified with was added to your account only lately, so it does not bring the wallet here.',
    until: (when: string) =>
      `It does from ${when} on. Until then, log out, and log in the way you did before.`,
    again: 'Log out, and log in the way you did before.',
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
    preparing: 'Getting ready',
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
      denied: (cloud: string) => `You did not allow it at ${cloud}. Try again, and allow it.`,
      phishing: (_cloud: string) => 'Unexpected auth flow. This may be a phishing attempt.',
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
  passkey: {
    set: {
      title: 'Secure with a passkey',
      detail:
        'A new passkey is made for your wallet alone. It brings the wallet to every new device that has it.',
      confirm: 'Create passkey',
    },
    recover: {
      title: 'Recover with your passkey',
      detail:
        'This device does not have your wallet yet. The passkey that you secured it with brings it here.',
      confirm: 'Use passkey',
    },
    once: 'Your passkey is made. Use it once, so that you know that it opens your wallet.',
    use: 'Use passkey',
    prompt: 'Waiting for your passkey',
    promptDetail: 'Follow what your device asks.',
    doneDetail: 'On a new device, your passkey opens your wallet.',
    why: 'Your wallet is kept in parts, one of them on this device. If you lose the device, this passkey and your login bring the wallet back. It is not the passkey that you log in with, so keep it when you remove that one.',
    problems: {
      set: {
        notAllowed: 'The request timed out or was cancelled. Please try again.',
        unable:
          'This passkey cannot protect a wallet. Try again and keep it somewhere else, or choose another way.',
        foreign: 'This passkey does not open this wallet. Please try again.',
        locked: 'Too many tries. Please try again later.',
        changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
        failed: 'An error has occurred, please try again.',
      },
      recover: {
        notAllowed:
          'The request timed out or was cancelled, or this device does not have the passkey. If it is on another device, use that one.',
        unable: 'This device cannot open a wallet with its passkey. Try again with another device.',
        foreign: 'This passkey does not open this wallet. Try again with the one that you secured it with.',
        locked: 'Too many tries. Please try again later.',
        changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
        failed: 'An error has occurred, please try again.',
      },
    },
  },
  why: {
    question: 'Why do I need to secure my account?',
    answer:
      'Your wallet is kept in parts, one of them on this device. If you lose the device, your password and your login bring the wallet back.',
  },
  problems: {
    tooShort: 'Password must be at least 6 characters',
    tooLong: 'Password must be at most 256 characters',
    invalidCharacters: (characters: string) => `Invalid characters used ( ${characters} )`,
    different: 'Passwords do not match',
    wrongPassword: 'Invalid recovery password, please try again.',
    recoveryFailed: 'An error has occurred, please try again.',
    notSet: 'The password could not be set. Please try again.',
    changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
  },
  leave: {
    title: 'Leave without a password?',
    detail: 'What you have entered would be lost.',
    stay: 'Stay',
    leave: 'Leave',
  },
} as const
export type RecoveryTexts = Widen<typeof english>
