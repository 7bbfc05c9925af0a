/**
 * Every text of the dialog that is not the specification's error table (protocol/texts.ts), in English.
 * Another language is another object of this type: a missing text does not compile.
 */
export const en = {
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',
  shell: {
    back: 'Back',
    close: 'Close',
    info: 'About',
    protectedBy: (product: string) => `Protected by ${product}`,
    /** Rendered with its two links in place of `terms` and `privacy`. */
    legal: {
      before: 'By logging in I agree to the ',
      terms: 'Terms',
      between: ' & ',
      privacy: 'Privacy Policy',
    },
    leave: {
      title: 'Leave without logging in?',
      detail: 'You would have to ask for a new code.',
      stay: 'Keep going',
      leave: 'Leave',
    },
    opensInNewTab: '(opens in a new tab)',
  },
  landing: {
    title: 'Log in or sign up',
    emailLabel: 'E-mail',
    emailPlaceholder: 'you@example.com',
    submit: 'Submit',
    sending: 'Sending code',
    continueWithEmail: 'Continue with e-mail',
  },
  code: {
    title: 'Enter confirmation code',
    sentTo: 'Sent to',
    validity: 'It is valid for 10 minutes.',
    group: 'Six-digit code',
    digit: (position: number) => `Digit ${position} of 6`,
    notNumeric: 'Code should be numeric',
    noMail: 'Didn’t get an e-mail?',
    resend: 'Resend code',
    resending: 'Sending a new code',
    sent: 'Code sent',
    checking: 'Checking the code',
    accepted: 'Code accepted',
  },
  error: { title: 'Something went wrong' },
  allowlist: {
    title: "You don't have access to this app",
    detail: 'Have you been invited?',
    button: 'Try another account',
  },
  accountNotFound: {
    title: 'Account not found',
    detail: 'There is no account with this e‑mail address in this app.',
    button: 'Try another account',
  },
  userLimit: {
    title: 'Unable to sign in',
    detail: 'This app has as many users as it may have at present. Please ask the people who run it.',
    button: 'Try another account',
  },
  walletCreate: {
    title: 'Creating your wallet',
    detail: 'Its key is made in your browser, and kept in parts. This takes a few seconds.',
    failedTitle: 'Failed to create wallet',
    retry: 'Try again',
  },
  walletCreated: {
    welcome: 'Welcome',
    allSet: 'All set!',
    detail: 'Your account and wallet are ready.',
  },
  walletConnecting: {
    title: 'Connecting your wallet',
    detail: 'One moment.',
    recovering: 'This is a new device for your wallet. It is being recovered.',
    failedTitle: 'Unable to recover wallet',
    retry: 'Try again',
  },
  sign: {
    title: 'Sign message',
    description: 'Signing this message will not cost you any fees.',
    button: 'Sign and continue',
    signing: 'Signing',
    message: 'Message',
    wallet: 'Wallet',
    invisible: 'Characters that cannot be seen are shown as their code.',
    arming: 'The button can be pressed when this card was fully visible for a moment.',
    covered: 'Something covers this card, so it cannot be approved. Close what lies over it.',
    success: 'Success',
    failedTitle: 'Unable to sign',
    retry: 'Try again',
  },
  address: { copy: 'Copy', copied: 'Copied', label: 'Address' },
  signedIn: {
    title: 'You are logged in',
    detail: (account: string) => `As ${account}`,
    logOut: 'Log out',
    loggingOut: 'Logging out',
  },
  fatal: {
    title: 'This dialog cannot be shown',
    detail: 'The page did not get what it needs. Please reload it.',
  },
} as const

type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> }
export type Texts = Omit<Widen<typeof en>, 'direction'> & { readonly direction: 'ltr' | 'rtl' }
