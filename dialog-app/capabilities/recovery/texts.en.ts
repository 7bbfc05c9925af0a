import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  strength: { label: 'Password strength', weak: 'Weak', medium: 'Medium', strong: 'Strong' },
  creating: {
    title: 'Create your password',
    updateTitle: 'Choose a new password',
    detail:
      'It secures your account on every new device. Nobody else knows it, and nobody can reset it for you.',
    label: 'Password',
    show: 'Show',
    hide: 'Hide',
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
    notRecovered: 'Unable to recover wallet',
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
