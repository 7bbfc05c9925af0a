/** The demo actions in page order: their texts and their calls. */
import type { LoginMethod } from '@latchkey/loader'
import * as accounts from '../calls/accounts.ts'
import * as more from '../calls/more.ts'
import * as signing from '../calls/signing.ts'
import * as wallet from '../calls/wallet.ts'

export type Thing = {
  /** The name of the function. Its code is shown. */
  name: string
  label: string
  text: string
  button: string
  /** The required state: a visitor, a user, or a user with an Ethereum wallet. */
  needs: 'visitor' | 'user' | 'wallet'
  /** A text field. The call receives its value. */
  field?: { label: string; value: string; testId?: string }
  testId?: string
  run: (value: string) => Promise<unknown>
}
export type Group = { title: string; text: string; things: readonly Thing[] }

/** An account of the sandbox chain. */
const somebody = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const methods = {
  email: 'E-mail',
  sms: 'SMS',
  google: 'Google',
  apple: 'Apple',
  discord: 'Discord',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  spotify: 'Spotify',
  instagram: 'Instagram',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  wallet: 'Wallet',
  passkey: 'Passkey',
  farcaster: 'Farcaster',
  telegram: 'Telegram',
} as const satisfies Partial<Record<LoginMethod, string>>
export const methodNames = Object.entries(methods)
export const isMethod = (name: string): name is keyof typeof methods => Object.hasOwn(methods, name)

export const groups: readonly Group[] = [
  {
    title: 'Sign',
    text: 'The user reads the request in the dialog, which scripts of your page cannot access.',
    things: [
      {
        name: 'signMessage',
        label: 'A message',
        text: 'Shows the exact text before the user signs it.',
        button: 'Sign',
        needs: 'wallet',
        field: {
          label: 'Message',
          value: '3 curlews over Brackwater Fen, 06:40, wind light from the west.',
          testId: 'sign-input',
        },
        testId: 'sign',
        run: signing.signMessage,
      },
      {
        name: 'signPermit',
        label: 'A permit',
        text: 'Typed data that lets another account spend tokens. It needs the confirmation page.',
        button: 'Sign permit',
        needs: 'wallet',
        run: () => signing.signPermit(somebody),
      },
    ],
  },
  {
    title: 'Send',
    text: 'A local chain runs on this machine. Its coin has a simulated price, so you see dollars and the daily limit.',
    things: [
      {
        name: 'addFunds',
        label: 'Add funds',
        text: 'With a test card, or by a transfer to your address. The faucet is on the chain page.',
        button: 'Add funds',
        needs: 'wallet',
        run: wallet.addFunds,
      },
      {
        name: 'send',
        label: 'A transaction',
        text: 'Sends 0.01 ETH and waits until it is in a block.',
        button: 'Send',
        needs: 'wallet',
        field: { label: 'To', value: somebody },
        run: wallet.send,
      },
      {
        name: 'askProvider',
        label: 'The provider',
        text: 'The EIP-1193 provider that viem, ethers and wagmi use.',
        button: 'Get the chain',
        needs: 'user',
        run: more.askProvider,
      },
    ],
  },
  {
    title: 'Accounts',
    text: 'A user can have several login methods. The dialog verifies each account before it is linked.',
    things: [
      {
        name: 'linkEmail',
        label: 'E-mail',
        text: 'A code comes by mail.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkEmail,
      },
      {
        name: 'linkPhone',
        label: 'Phone',
        text: 'A code comes by SMS.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkPhone,
      },
      {
        name: 'linkGoogle',
        label: 'Google',
        text: 'Eight more providers work the same way.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkGoogle,
      },
      {
        name: 'linkWallet',
        label: 'A wallet',
        text: 'From a browser extension or a phone.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkWallet,
      },
      {
        name: 'linkPasskey',
        label: 'A passkey',
        text: 'From this browser or a phone.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkPasskey,
      },
      {
        name: 'linkFarcaster',
        label: 'Farcaster',
        text: 'Approved on the phone.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkFarcaster,
      },
      {
        name: 'changeEmail',
        label: 'New address',
        text: 'Replaces the current e-mail address.',
        button: 'Change',
        needs: 'user',
        run: accounts.changeEmail,
      },
      {
        name: 'unlinkEmail',
        label: 'The address',
        text: 'The address can no longer log in. The last login method cannot be unlinked.',
        button: 'Unlink',
        needs: 'user',
        run: accounts.unlinkEmail,
      },
      {
        name: 'unlinkPhone',
        label: 'The phone',
        text: 'Another user can then link it.',
        button: 'Unlink',
        needs: 'user',
        run: accounts.unlinkPhone,
      },
      {
        name: 'secondFactor',
        label: 'A second factor',
        text: 'An authenticator app, SMS or a passkey, required before the wallet signs.',
        button: 'Set up',
        needs: 'user',
        run: accounts.secondFactor,
      },
      {
        name: 'forkSession',
        label: 'A fork',
        text: 'A one-time code that starts another session on another page of the app.',
        button: 'Fork',
        needs: 'user',
        run: accounts.forkSession,
      },
    ],
  },
  {
    title: 'Wallet',
    text: 'The key is split into three shares and combined only in the vault. Users have the wallet on every site of the app.',
    things: [
      {
        name: 'setRecovery',
        label: 'Recovery',
        text: 'A password, a passkey or the user’s cloud recovers the wallet.',
        button: 'Choose',
        needs: 'wallet',
        run: wallet.setRecovery,
      },
      {
        name: 'exportWallet',
        label: 'Export',
        text: 'Shows the key to the user, but not to this page.',
        button: 'Export',
        needs: 'wallet',
        run: wallet.exportWallet,
      },
      {
        name: 'importWallet',
        label: 'Import',
        text: 'Imports an existing key. Needs a user without a wallet.',
        button: 'Import',
        needs: 'user',
        run: wallet.importWallet,
      },
    ],
  },
  {
    title: 'Solana',
    text: 'Needs a user without an Ethereum wallet, so log in without creating one.',
    things: [
      {
        name: 'logInForSolana',
        label: 'Log in without a wallet',
        text: 'The page’s configuration disables wallet creation.',
        button: 'Log in',
        needs: 'visitor',
        run: more.logInForSolana,
      },
      {
        name: 'createSolanaWallet',
        label: 'A Solana wallet',
        text: 'Created in the vault, like every wallet.',
        button: 'Create',
        needs: 'user',
        run: more.createSolanaWallet,
      },
      {
        name: 'signBySolana',
        label: 'A message',
        text: 'Signed with ed25519.',
        button: 'Sign',
        needs: 'user',
        run: () => more.signBySolana('Hello from this machine'),
      },
    ],
  },
  {
    title: 'Farcaster',
    text: 'Writes for the user’s linked Farcaster account, after they approved it on their phone.',
    things: [
      {
        name: 'requestSigner',
        label: 'A signer',
        text: 'A separate key that the account authorizes.',
        button: 'Request',
        needs: 'user',
        run: more.requestSigner,
      },
      {
        name: 'signForFarcaster',
        label: 'A Farcaster message',
        text: 'Signed with that key, without another prompt.',
        button: 'Sign',
        needs: 'user',
        run: more.signForFarcaster,
      },
    ],
  },
]
