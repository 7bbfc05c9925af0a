/** Explains why an import stays, and names its replacement. */
import type { Heading } from './guide.ts'

type Reason = [message: string, heading: Heading]

const noSmartWallets: Reason = [
  'There are no smart wallets: a library for them takes the embedded wallet as the owner',
  'impossible',
]

/** Reasons for whole packages. */
const packageReasons: [RegExp, Reason][] = [
  [/^@privy-io\/(?:server-auth|node)/, ['A backend verifies tokens by `@latchkey/server`', 'backend']],
  [/smart-wallets$/, noSmartWallets],
  [/^@privy-io\/wagmi/, ['This has no counterpart in wagmi', 'wallets']],
  [
    /^@privy-io\/expo/,
    ['Latchkey is for pages in a browser, and has nothing for React Native', 'impossible'],
  ],
  [/^@privy-io\/(?!react-auth)/, ['This package has no counterpart', 'impossible']],
]

const solanaReasons: Readonly<Record<string, Reason>> = {
  toSolanaWalletConnectors: ['External Solana wallets are not connected by the configuration', 'wallets'],
  useCreateWallet: ['`createWallet()` is in `useSolanaWallets()`', 'wallets'],
  useSignMessage: ['Each wallet of `useSolanaWallets()` has `signMessage()`', 'wallets'],
  useFundWallet: ['Each wallet of `useSolanaWallets()` has `fund()`', 'wallets'],
  useSignTransaction: ['Each wallet of `useSolanaWallets()` has `signTransaction()`', 'wallets'],
  useSignAndSendTransaction: [
    'Each wallet of `useSolanaWallets()` has `signAndSendTransaction()`',
    'wallets',
  ],
}

const reactReasons: Readonly<Record<string, Reason>> = {
  getAccessToken: [
    'Outside of a component, keep the handle of `createLatchkey()` and call its `getAccessToken()`',
    'user',
  ],
  useIdentityToken: [
    'There is no identity token: send the access token, and read the user in the page',
    'user',
  ],
  useSmartWallets: noSmartWallets,
  useGuestAccounts: ['There are no guest accounts', 'impossible'],
  useSigners: ['There are no signers of a server', 'impossible'],
}

/** Reasons for families of hooks. */
const families: [RegExp, Reason][] = [
  [/^useUnlink/, ['Calls that unlink are in `useLatchkey()`', 'user']],
  [/^use(?:LoginWith|SignupWith)/, ['Its user logs in by the dialog, which `login()` opens', 'impossible']],
  [/^useLinkWith/, ['Calls that link are in `useLinkAccount()`, and open the dialog', 'impossible']],
]

const find = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Returns the reason for an export of a package. `*` stands for a namespace import. */
export function reasonFor(module: string, name: string): Reason {
  const ofPackage = packageReasons.find(([pattern]) => pattern.test(module))?.[1]
  if (name === '*') {
    const whole = `All of \`${module}\` is imported under one name: import what you use by its own name`
    return ofPackage ?? [whole, 'provider']
  }
  const isSolana = module.endsWith('/solana')
  const reason =
    find(isSolana ? solanaReasons : reactReasons, name) ??
    ofPackage ??
    (isSolana ? undefined : families.find(([pattern]) => pattern.test(name))?.[1])
  if (reason) return [`\`${name}\`: ${reason[0]}`, reason[1]]
  return [`\`${name}\` has no counterpart, so its import stays`, isSolana ? 'wallets' : 'impossible']
}
