import type { Widen } from '../../i18n/catalogue.ts'

/** Each is told the wallet. */
export const english = {
  row: { connect: 'Connect', lastUsed: 'Last used', none: 'Continue with a wallet' },
  connecting: {
    title: (wallet: string) => `Waiting for ${wallet}`,
    detail: (wallet: string) => `Open ${wallet} and allow the connection.`,
    scan: (wallet: string) => `Scan the code with ${wallet} on your phone, and allow the connection.`,
    code: 'Code that connects a wallet',
    copy: 'Copy the link of the code',
    copied: 'Copied',
    open: (wallet: string) => `Open ${wallet}`,
    install: 'Use it in this browser instead',
  },
  switching: {
    title: 'Switching networks',
    detail: (wallet: string) => `Allow ${wallet} to change to a network that this app uses.`,
  },
  sign: {
    title: 'Sign to verify',
    detail: (wallet: string) =>
      `Sign the message in ${wallet}. That shows that the wallet is yours, and costs nothing.`,
  },
  signing: { title: 'Signing', detail: (wallet: string) => `The signature of ${wallet} is being verified.` },
  pay: {
    title: 'Confirm in your wallet',
    detail: (wallet: string) => `Look at the amount and the address in ${wallet}, and confirm.`,
  },
  paid: {
    title: 'Sent',
    detail: (wallet: string) => `${wallet} has sent it. It arrives when the network has carried it out.`,
  },
  payFrom: {
    title: 'Pay from a wallet',
    detail: (amount: string, network: string) => `${amount} on ${network}. Choose the wallet that pays.`,
  },
  success: {
    title: 'Successfully connected',
    detail: (wallet: string) => `${wallet} has confirmed who you are.`,
  },
  connected: { detail: (wallet: string) => `${wallet} is connected to this page.` },
  connectOnly: {
    title: 'Connect a wallet',
    detail: 'This page can then ask it for things. You are not logged in by that.',
    detailForUser: 'This page can then ask it for things. It is not linked to your account.',
    suggested: 'The page asks for',
  },
  otherAccount: {
    title: 'Another account',
    detail: (wallet: string, address: string) =>
      `${wallet} has ${address} in use. Change to this account in it, then try again.`,
    copy: 'Copy the address',
    copied: 'Copied',
  },
  failed: { unable: 'Unable to connect wallet', retry: 'Try again', other: 'Use a different wallet' },
  problems: {
    userExists: {
      title: 'Authentication failed',
      detail: () => 'This account has already been linked to another user.',
    },
    timedOut: {
      title: 'Timed out',
      detail: (wallet: string) => `${wallet} did not answer in time. Open it, then try again.`,
    },
    rejected: {
      title: 'Connection rejected',
      detail: (wallet: string) => `You refused the request in ${wallet}. Try again to allow it.`,
    },
    pending: {
      title: 'Open your wallet',
      detail: (wallet: string) =>
        `A request is already waiting in ${wallet}. Open it and answer the request, then try again.`,
    },
    unknownChain: {
      title: 'Network not available',
      detail: (wallet: string) => `${wallet} does not have this network. Add it there, then try again.`,
    },
    generic: {
      title: 'Could not connect',
      detail: (wallet: string) =>
        `Something went wrong with ${wallet}. Check that it is unlocked, then try again.`,
    },
  },
  gaveUp: {
    title: 'Could not connect with wallet',
    detail: 'Try another wallet, or another way to log in.',
    retry: 'Try again',
    cancel: 'Cancel',
  },
  install: {
    title: (wallet: string) => `Get ${wallet}`,
    none: 'No wallet found',
    detail: 'It is not in this browser yet.',
    extension: 'Install the extension of a wallet.',
    extensionOf: (wallet: string) => `Install the ${wallet} extension.`,
    setUp: 'Set up a wallet, or bring in one that you have.',
    phrase: 'Save the recovery phrase where nobody else finds it.',
    reload: 'Reload this page.',
    button: (wallet: string) => `Install ${wallet}`,
  },
  phone: {
    title: (wallet: string) => `Continue in ${wallet}`,
    detail: (wallet: string) => `${wallet} opens this page in its own browser. You go on there.`,
    go: 'Continue',
    store: 'Go to App Store',
  },
} as const
export type WalletTexts = Widen<typeof english>
