/** The Latchkey names of Privy's exports. Exports that no table lists are left to the developer. */

export const react = '@latchkey/loader/react'
export const loader = '@latchkey/loader'

export type Target = { from: string; name: string }
type Names = Readonly<Record<string, Target>>

const same = (from: string, ...names: string[]): Names =>
  Object.fromEntries(names.map((name) => [name, { from, name }]))

const targets: Readonly<Record<string, Names>> = {
  '@privy-io/react-auth': {
    PrivyProvider: { from: react, name: 'LatchkeyProvider' },
    usePrivy: { from: react, name: 'useLatchkey' },
    useConnectOrCreateWallet: { from: react, name: 'useConnectWallet' },
    ...same(
      react,
      'useWallets',
      'useSolanaWallets',
      'useLogin',
      'useLogout',
      'useUser',
      'useToken',
      'useModalStatus',
      'useCreateWallet',
      'useImportWallet',
      'useExportWallet',
      'useSetWalletRecovery',
      'useConnectWallet',
      'useSignMessage',
      'useSignTypedData',
      'useSendTransaction',
      'useFundWallet',
      'useLinkAccount',
      'useMfa',
      'useRegisterMfaListener',
      'useMfaEnrollment',
      'useCrossAppAccounts',
      'useFarcasterSigner',
      'useOAuthTokens',
      'useLoginWithEmail',
      'useLoginWithSms',
      'useLoginWithOAuth',
      'useLinkWithSiwe',
    ),
    ConnectedWallet: { from: react, name: 'EthereumWallet' },
    User: { from: loader, name: 'User' },
    PrivyClientConfig: { from: loader, name: 'ClientConfig' },
    LinkedAccountWithMetadata: { from: loader, name: 'LinkedAccount' },
    WalletWithMetadata: { from: loader, name: 'WalletAccount' },
  },
  '@privy-io/react-auth/solana': {
    useWallets: { from: react, name: 'useSolanaWallets' },
    useSolanaWallets: { from: react, name: 'useSolanaWallets' },
    ConnectedSolanaWallet: { from: react, name: 'SolanaWallet' },
    ConnectedStandardSolanaWallet: { from: react, name: 'SolanaWallet' },
  },
  '@privy-io/react-auth/ui': same(react, 'UserPill'),
  '@privy-io/wagmi': same('wagmi', 'WagmiProvider', 'createConfig'),
}

export const isPrivy = (module: string): boolean => module.startsWith('@privy-io/')

export const findTarget = (module: string, name: string): Target | undefined => {
  const names = targets[module]
  return names && Object.hasOwn(names, name) ? names[name] : undefined
}

const linkable = [
  'Email',
  'Phone',
  'Wallet',
  'Farcaster',
  'Telegram',
  'Passkey',
  'Google',
  'Twitter',
  'Discord',
  'Github',
  'Spotify',
  'Instagram',
  'Tiktok',
  'LinkedIn',
  'Apple',
]
const links = linkable.map((name) => `link${name}`)
const unlinks = linkable.map((name) => `unlink${name}`)

/** The results of our hooks that Privy's hooks share. Other members are noted. */
export const results: Readonly<Record<string, string[]>> = {
  useLatchkey: [
    'ready',
    'authenticated',
    'user',
    'error',
    'isModalOpen',
    'login',
    'logout',
    'getAccessToken',
    'connectWallet',
    'connectOrCreateWallet',
    'createWallet',
    'exportWallet',
    'importWallet',
    'setWalletRecovery',
    'signMessage',
    'signTypedData',
    'sendTransaction',
    'fundWallet',
    'updateEmail',
    'forkSession',
    ...links,
    ...unlinks,
  ],
  useWallets: ['wallets', 'ready'],
  useSolanaWallets: ['wallets', 'ready', 'createWallet'],
  useLogin: ['login'],
  useLogout: ['logout'],
  useUser: ['user', 'refreshUser'],
  useToken: ['getAccessToken'],
  useModalStatus: ['isOpen'],
  useCreateWallet: ['createWallet'],
  useImportWallet: ['importWallet'],
  useExportWallet: ['exportWallet'],
  useSetWalletRecovery: ['setWalletRecovery'],
  useConnectWallet: ['connectWallet', 'connectOrCreateWallet'],
  useSignMessage: ['signMessage'],
  useSignTypedData: ['signTypedData'],
  useSendTransaction: ['sendTransaction'],
  useFundWallet: ['fundWallet'],
  useLinkAccount: links,
  useMfa: ['init', 'submit', 'cancel', 'mfaMethods'],
  useMfaEnrollment: [],
  useCrossAppAccounts: [],
  useFarcasterSigner: ['requestFarcasterSigner', 'signFarcasterMessage'],
  useOAuthTokens: ['reauthorize'],
  useLoginWithEmail: ['sendCode'],
  useLoginWithSms: ['sendCode'],
  useLoginWithOAuth: ['initOAuth'],
  useLinkWithSiwe: ['linkWithSiwe'],
}

/** The properties of a callback's argument, in the order of the arguments of Privy 1. */
export const callbackValues: Readonly<Record<string, Readonly<Record<string, string[]>>>> = {
  useLogin: {
    onComplete: ['user', 'isNewUser', 'wasAlreadyAuthenticated', 'loginMethod', 'loginAccount'],
  },
  useLoginWithEmail: {
    onComplete: ['user', 'isNewUser', 'wasAlreadyAuthenticated', 'loginMethod', 'loginAccount'],
  },
  useLoginWithSms: {
    onComplete: ['user', 'isNewUser', 'wasAlreadyAuthenticated', 'loginMethod', 'loginAccount'],
  },
  useLoginWithOAuth: {
    onComplete: ['user', 'isNewUser', 'wasAlreadyAuthenticated', 'loginMethod', 'loginAccount'],
  },
  useLinkAccount: { onSuccess: ['user', 'linkMethod', 'linkedAccount'] },
  useCreateWallet: { onSuccess: ['wallet'] },
  useConnectWallet: { onSuccess: ['wallet'] },
  useSignMessage: { onSuccess: ['signature'] },
  useSignTypedData: { onSuccess: ['signature'] },
  useSendTransaction: { onSuccess: ['hash'] },
}
/** User fields that are elsewhere in Latchkey or have another shape. */
export const socialAccounts: Readonly<Record<string, string>> = {
  google: 'google_oauth',
  twitter: 'twitter_oauth',
  discord: 'discord_oauth',
  github: 'github_oauth',
  spotify: 'spotify_oauth',
  instagram: 'instagram_oauth',
  tiktok: 'tiktok_oauth',
  linkedin: 'linkedin_oauth',
  apple: 'apple_oauth',
  telegram: 'telegram',
}
export const goneFromUser = [
  'smartWallet',
  'delegatedWallets',
  'isGuest',
  'customMetadata',
  'line',
  'twitch',
  'customJwt',
]

/** Members of Privy's wallets that our wallets lack, with the replacement. */
export const goneFromWallets: Readonly<Record<string, string>> = {
  sign: 'A wallet signs by `signMessage(message)`, which resolves with `{ signature }`',
  getEthersProvider: 'Make a provider of ethers from `getEthereumProvider()`',
  getWeb3jsProvider: 'Make a provider of web3.js from `getEthereumProvider()`',
  isConnected: 'A wallet in the list is one that can be asked, so there is no `isConnected()`',
  meta: 'A wallet has no `meta`; its `walletClientType` names its program',
  walletIndex: 'There is one embedded wallet for each user, so it has no index',
  signAndSendTransaction:
    'A Solana wallet has `signAndSendTransaction(bytes, { cluster })`, which resolves when the cluster confirms',
  standardWallet: '`getSolanaProvider({ announce: true })` announces the wallet to libraries',
  connectedAt: 'A wallet does not say when it was connected',
}

/** The dialog texts that our calls take. */
export const signTexts = ['title', 'description', 'buttonText', 'iconUrl']
export const sendTexts = [
  'header',
  'description',
  'buttonText',
  'transactionInfo',
  'successHeader',
  'successDescription',
]
