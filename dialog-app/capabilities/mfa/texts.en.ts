import { approvalEnglish } from '../../approval/texts.en.ts'
import { verificationProblemsEnglish } from '../../approval/verification-texts.en.ts'
import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  names: { totp: 'Authenticator App', sms: 'SMS', passkey: 'Passkey' },
  account: { label: 'Transaction Protection', on: 'On', off: 'Off' },
  intro: {
    title: 'Transaction Protection',
    detail: 'Add a second way to show that it is you. It is asked for before your wallet is used.',
    points: {
      ask: 'You confirm with a code or a passkey what your wallet is to do.',
      keep: 'Nobody who gets into your account can use your wallet without it.',
    },
    go: 'Continue',
    later: 'Not now',
  },
  choice: {
    title: 'Choose a verification method',
    detail: 'You can add several, and choose one each time.',
    verifiedFirst: 'To add or delete verification methods, verification is required.',
    recommended: 'Recommended',
    added: 'Added',
    disabled: 'Disabled',
    /** Why it can not be chosen. */
    usedToLogIn: 'You log in with SMS, so it can not be your second way.',
    remove: 'Remove',
    removeNamed: (method: string) => `Remove ${method}`,
    opening: 'One moment',
  },
  sms: {
    title: 'Set up SMS verification',
    detail: 'We send a code to this phone whenever you are to verify yourself.',
    label: 'Phone number',
    country: 'Country',
    placeholder: 'Phone number',
    submit: 'Send code',
    sending: 'Sending code',
    problem: 'This is not a phone number of that country.',
  },
  totp: {
    title: 'Scan QR code',
    detail: 'Scan it with your authenticator app, or copy the key into the app.',
    code: 'Code that adds this account to an authenticator app',
    secret: 'Key',
    copy: 'Copy the key',
    copied: 'Copied',
    open: 'Open authenticator app',
    go: 'Continue',
  },
  passkey: {
    title: 'Set up passkey verification',
    detail: 'You verify yourself the way you unlock your device.',
    noneYet: 'Add a passkey. You then verify yourself the way you unlock your device.',
    add: 'Add a new passkey',
    adding: 'Adding a passkey',
    enable: 'Enable your passkeys for verification',
    enabling: 'Enabling your passkeys',
    unknownDevice: 'Unknown device',
    viewAll: 'View All',
  },
  enrolCode: {
    title: 'Enter enrollment code',
    totp: 'Enter the code that your authenticator app shows.',
    sms: 'Sent to',
  },
  added: {
    titles: {
      totp: 'Authenticator app verification added',
      sms: 'SMS verification added',
      passkey: 'Passkey verification added',
    },
    detail: 'It is asked for from now on, before your wallet is used.',
    done: 'Done',
    another: 'Add another method',
  },
  remove: {
    titles: {
      totp: 'Remove authenticator app verification?',
      sms: 'Remove SMS verification?',
      passkey: 'Remove passkey verification?',
    },
    details: {
      totp: 'Codes of your authenticator app no longer verify you. Delete the entry in the app, too.',
      sms: 'Codes sent to your phone no longer verify you.',
      passkey: 'Your passkeys no longer verify you. They stay linked to your account.',
    },
    last: 'It is the only one. Your wallet is then used without a verification.',
    remove: 'Remove',
    removing: 'Removing',
    keep: 'Keep',
    again: 'Try again',
  },
  approve: approvalEnglish,
  verify: {
    choice: { title: 'Verify your identity', detail: 'Choose how you want to verify that it is you.' },
    code: {
      title: 'Enter verification code',
      totp: 'Enter the code that your authenticator app shows.',
      sms: 'We sent a code to your phone',
      sending: 'A code is on its way to your phone.',
      unsent: 'No code could be sent to your phone.',
    },
    passkey: {
      title: 'Verifying with passkey',
      detail: 'Follow the steps that your device shows.',
      again: 'Try again',
    },
    other: 'Choose another method',
    notNow: 'Not now',
    close: 'Close',
  },
  passcode: {
    group: 'Six-digit code',
    digit: (position: number) => `Digit ${position} of 6`,
    notNumeric: 'Passcode can only be numbers',
    wrongLength: 'Passcode must be exactly 6 numbers',
    checking: 'Checking the code',
    accepted: 'Code accepted',
    noCode: 'Didn’t get a message?',
    resend: 'Resend code',
    resending: 'Sending a code',
    sent: 'Code sent',
  },
  problems: {
    ...verificationProblemsEnglish,
    invalid: 'The code you entered is not valid',
    other: 'Something went wrong.',
  },
  /** Where a method is added or removed. */
  enrolProblems: {
    unknown: 'Unknown error',
    passkeyNotAllowed: 'Passkey request timed out or rejected by user.',
    tooManyPasskeys: 'Cannot link more passkeys to account.',
    smsIsLogin: 'You log in with SMS, so it can not be your second way.',
  },
  /** Of a passkey that gave no answer. */
  noPasskey: 'something went wrong',
  leave: {
    title: 'Stop adding this method?',
    detail: 'It is not added yet.',
    stay: 'Keep going',
    leave: 'Stop',
  },
} as const
export type MfaTexts = Widen<typeof english>
