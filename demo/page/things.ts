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
    text: 'The user reads what they sign in the dialog, where no script of your page reaches.',
    things: [
      {
        name: 'signMessage',
        label: 'A message',
        text: 'Text, shown as it will be signed.',
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
        text: 'Typed data that lets somebody take tokens. It is confirmed on a page of the wallet.',
        button: 'Sign permit',
        needs: 'wallet',
        run: () => signing.signPermit(somebody),
      },
    ],
  },
  {
    title: 'Send',
    text: 'A real chain runs on this machine, and its coin has a price here, so you see dollars and the limit of a day.',
    things: [
      {
        name: 'addFunds',
        label: 'Add funds',
        text: 'By a card that is none, or to your address. The faucet is on the page of the chain.',
        button: 'Add funds',
        needs: 'wallet',
        run: wallet.addFunds,
      },
      {
        name: 'send',
        label: 'A transaction',
        text: 'Sends 0.01 ETH and follows it until the chain has carried it out.',
        button: 'Send',
        needs: 'wallet',
        field: { label: 'To', value: somebody },
        run: wallet.send,
      },
      {
        name: 'askProvider',
        label: 'The provider',
        text: 'What viem, ethers and wagmi hold (EIP-1193).',
        button: 'Ask for the chain',
        needs: 'user',
        run: more.askProvider,
      },
    ],
  },
  {
    title: 'Accounts',
    text: 'One user, many ways in. Each is proved in the dialog before it counts.',
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
        text: 'And eight providers more.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkGoogle,
      },
      {
        name: 'linkWallet',
        label: 'A wallet',
        text: 'An extension, or the phone.',
        button: 'Link',
        needs: 'user',
        run: accounts.linkWallet,
      },
      {
        name: 'linkPasskey',
        label: 'A passkey',
        text: 'Of this browser or a phone.',
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
        label: 'Another address',
        text: 'In the place of the one you have.',
        button: 'Change',
        needs: 'user',
        run: accounts.changeEmail,
      },
      {
        name: 'unlinkEmail',
        label: 'The address',
        text: 'Logs in no more. The last way in cannot be unlinked.',
        button: 'Unlink',
        needs: 'user',
        run: accounts.unlinkEmail,
      },
      {
        name: 'unlinkPhone',
        label: 'The phone',
        text: 'Another user may then link it.',
        button: 'Unlink',
        needs: 'user',
        run: accounts.unlinkPhone,
      },
      {
        name: 'secondFactor',
        label: 'A second factor',
        text: 'An authenticator app, SMS or a passkey, asked for before the wallet signs.',
        button: 'Set up',
        needs: 'user',
        run: accounts.secondFactor,
      },
      {
        name: 'forkSession',
        label: 'A fork',
        text: 'A code that starts a session of its own on another page of the app. It works once.',
        button: 'Fork',
        needs: 'user',
        run: accounts.forkSession,
      },
    ],
  },
  {
    title: 'Wallet',
    text: 'Its key is in three shares and is whole only inside the vault. It follows its user to every site of the app.',
    things: [
      {
        name: 'setRecovery',
        label: 'Recovery',
        text: 'A password, a passkey or a cloud of the user’s own brings the wallet back.',
        button: 'Choose',
        needs: 'wallet',
        run: wallet.setRecovery,
      },
      {
        name: 'exportWallet',
        label: 'Export',
        text: 'The user sees the key. This page does not.',
        button: 'Export',
        needs: 'wallet',
        run: wallet.exportWallet,
      },
      {
        name: 'importWallet',
        label: 'Import',
        text: 'A key that the user has already. It needs a user without a wallet.',
        button: 'Import',
        needs: 'user',
        run: wallet.importWallet,
      },
    ],
  },
  {
    title: 'Solana',
    text: 'For a user who has no Ethereum wallet yet, so log in without making one.',
    things: [
      {
        name: 'logInForSolana',
        label: 'Log in without a wallet',
        text: 'The page decides by its configuration.',
        button: 'Log in',
        needs: 'visitor',
        run: more.logInForSolana,
      },
      {
        name: 'createSolanaWallet',
        label: 'A Solana wallet',
        text: 'Made in the vault like any other.',
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
    text: 'Write for the account of a user who linked Farcaster, once they approved it on their phone.',
    things: [
      {
        name: 'requestSigner',
        label: 'A signer',
        text: 'A key of its own, which the account allows.',
        button: 'Request',
        needs: 'user',
        run: more.requestSigner,
      },
      {
        name: 'signForFarcaster',
        label: 'A Farcaster message',
        text: 'By that key, without asking again.',
        button: 'Sign',
        needs: 'user',
        run: more.signForFarcaster,
      },
    ],
  },
]
