/** The hooks. Each has what its name says and no more, so that a page ships what it uses. */
import { useMemo } from 'react'
import type { EthereumWallet, SentTransaction, SolanaWallet } from '../state/state.ts'
import type { CallOptions, MfaMethod, WalletConnection } from '../types/options.ts'
import type {
  ConnectedWallet,
  ErrorCode,
  FarcasterSigner,
  Funded,
  LatchkeyError,
  Linkable,
  LinkedAccount,
  LoginResult,
  OAuthTokens,
  SignedMessage,
  SocialProvider,
  User,
  WalletAccount,
} from '../types/published.ts'
import type { Actions } from './app.ts'
import {
  type Callbacks,
  type ErrorCallback,
  useEvent,
  useLatest,
  useOnce,
  withCallbacks,
} from './callbacks.ts'
import { useApp, useStateOf } from './provider.ts'

const none = {}

export type UseLatchkey = Actions & {
  /** Whether it is known who is logged in, with all their wallets. */
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  /** Why the dialog can not be reached, while it can not. */
  readonly error: LatchkeyError | null
  readonly isModalOpen: boolean
}

/** Everything at once: the state, and every call. */
export function useLatchkey(): UseLatchkey {
  const { actions } = useApp()
  const ready = useReady()
  const user = useStateOf((state) => state.user)
  const error = useStateOf((state) => state.error)
  const isModalOpen = useStateOf((state) => state.isOpen)
  return useMemo(
    () => ({ ...actions, ready, authenticated: user !== null, user, error, isModalOpen }),
    [actions, ready, user, error, isModalOpen],
  )
}

/** Whoever is known stays so while the dialog can not be reached. */
const useReady = () => useStateOf(({ status, user }) => status === 'ready' || user !== null)

/** The user, or null for a visitor and before it is known. */
export function useUser(): { readonly user: User | null; readonly refreshUser: () => Promise<User | null> } {
  const { getUser } = useApp().actions
  const user = useStateOf((state) => state.user)
  return useMemo(() => ({ user, refreshUser: getUser }), [user, getUser])
}

/** The wallets that sign on Ethereum and chains like it. `ready` is never true before they are all there. */
export function useWallets(): { readonly wallets: readonly EthereumWallet[]; readonly ready: boolean } {
  const ready = useReady()
  const wallets = useStateOf((state) => state.wallets)
  return useMemo(() => ({ wallets, ready }), [wallets, ready])
}

export function useSolanaWallets(): {
  readonly wallets: readonly SolanaWallet[]
  readonly ready: boolean
  readonly createWallet: () => Promise<WalletAccount>
} {
  const { createSolanaWallet } = useApp().actions
  const ready = useReady()
  const wallets = useStateOf((state) => state.solanaWallets)
  return useMemo(
    () => ({ wallets, ready, createWallet: createSolanaWallet }),
    [wallets, ready, createSolanaWallet],
  )
}

/** Whether the dialog can be seen. */
export function useModalStatus(): { readonly isOpen: boolean } {
  const isOpen = useStateOf((state) => state.isOpen)
  return useMemo(() => ({ isOpen }), [isOpen])
}

export type LoginCallbacks = ErrorCallback & {
  /** After a login by this hook, and not for a user who was there when the page came. */
  readonly onComplete?: ((result: LoginResult) => void) | undefined
}
const useLoginCallbacks = ({ onComplete, onError }: LoginCallbacks) =>
  useLatest({ onSuccess: onComplete, onError })

export function useLogin(callbacks: LoginCallbacks = none): { readonly login: Actions['login'] } {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ actions }) => ({ login: withCallbacks(actions.login, latest) }))
}

export function useLogout(callbacks: Callbacks<void> = none): { readonly logout: Actions['logout'] } {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ logout: withCallbacks(actions.logout, latest) }))
}

export type TokenCallbacks = {
  readonly onAccessTokenGranted?: ((token: string) => void) | undefined
  readonly onAccessTokenRemoved?: (() => void) | undefined
}
export function useToken({ onAccessTokenGranted, onAccessTokenRemoved }: TokenCallbacks = none): {
  readonly getAccessToken: Actions['getAccessToken']
} {
  useEvent('token', (event) => {
    if (event.type === 'granted') onAccessTokenGranted?.(event.token)
    else onAccessTokenRemoved?.()
  })
  return useOnce(({ actions: { getAccessToken } }) => ({ getAccessToken }))
}

type WithWallet<Wallet> = { readonly wallet: Wallet }
const withWallet = <Wallet>(wallet: Wallet): WithWallet<Wallet> => ({ wallet })

export function useCreateWallet(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  readonly createWallet: Actions['createWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ createWallet: withCallbacks(actions.createWallet, latest, withWallet) }))
}

export function useImportWallet(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  readonly importWallet: Actions['importWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ importWallet: withCallbacks(actions.importWallet, latest, withWallet) }))
}

export function useExportWallet(callbacks: Callbacks<void> = none): {
  readonly exportWallet: Actions['exportWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ exportWallet: withCallbacks(actions.exportWallet, latest) }))
}

export function useSetWalletRecovery(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  readonly setWalletRecovery: Actions['setWalletRecovery']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({
    setWalletRecovery: withCallbacks(actions.setWalletRecovery, latest, withWallet),
  }))
}

export function useConnectWallet(
  callbacks: Callbacks<WithWallet<ConnectedWallet | WalletConnection>> = none,
): {
  readonly connectWallet: Actions['connectWallet']
  readonly connectOrCreateWallet: Actions['connectOrCreateWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({
    connectWallet: withCallbacks(
      actions.connectWallet,
      latest,
      withWallet<ConnectedWallet | WalletConnection>,
    ),
    connectOrCreateWallet: withCallbacks(
      actions.connectOrCreateWallet,
      latest,
      withWallet<ConnectedWallet | WalletConnection>,
    ),
  }))
}

export function useSignMessage(callbacks: Callbacks<SignedMessage> = none): {
  readonly signMessage: Actions['signMessage']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ signMessage: withCallbacks(actions.signMessage, latest) }))
}

export function useSignTypedData(callbacks: Callbacks<SignedMessage> = none): {
  readonly signTypedData: Actions['signTypedData']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ signTypedData: withCallbacks(actions.signTypedData, latest) }))
}

export function useSendTransaction(callbacks: Callbacks<SentTransaction> = none): {
  readonly sendTransaction: Actions['sendTransaction']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ sendTransaction: withCallbacks(actions.sendTransaction, latest) }))
}

export function useFundWallet(callbacks: Callbacks<Funded> = none): {
  readonly fundWallet: Actions['fundWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ fundWallet: withCallbacks(actions.fundWallet, latest) }))
}

type LinkName = `link${Linkable}`
export type LinkCallbacks = {
  readonly onSuccess?:
    | ((linked: {
        readonly user: User
        /** The method as the name of the call has it: `Email`, `Google`. */
        readonly linkMethod: Linkable
        /** The account that was not there before; none where that was no other one. */
        readonly linkedAccount: LinkedAccount | null
      }) => void)
    | undefined
  readonly onError?:
    | ((code: ErrorCode, about: { readonly linkMethod: Linkable; readonly error: LatchkeyError }) => void)
    | undefined
}

export function useLinkAccount(callbacks: LinkCallbacks = none): Pick<Actions, LinkName> {
  const latest = useLatest(callbacks)
  return useOnce(({ actions, store }) => {
    const names = Object.keys(actions).filter(
      (name): name is LinkName => name.startsWith('link') && name !== 'linkCrossAppAccount',
    )
    return Object.fromEntries(
      names.map((name) => [
        name,
        (options?: CallOptions) => {
          const linkMethod = name.slice('link'.length) as Linkable
          const before = new Set(store.getSnapshot().user?.linkedAccounts.map(identityOf))
          const linking = actions[name](options)
          linking.then(
            (user) => {
              const linkedAccount =
                user.linkedAccounts.find((account) => !before.has(identityOf(account))) ?? null
              latest.current.onSuccess?.({ user, linkMethod, linkedAccount })
            },
            (error: LatchkeyError) => latest.current.onError?.(error.code, { linkMethod, error }),
          )
          return linking
        },
      ]),
    ) as Pick<Actions, LinkName>
  })
}

/** What an account is known by, without when it was proved. */
const identityOf = ({ verifiedAt, firstVerifiedAt, latestVerifiedAt, ...account }: LinkedAccount) =>
  JSON.stringify(account)

/** For a page that asks for verifications itself, with `mfa.noPromptOnMfaRequired`. */
export function useMfa(): {
  readonly init: Actions['initMfa']
  readonly submit: Actions['submitMfa']
  readonly cancel: Actions['cancelMfa']
  readonly mfaMethods: readonly MfaMethod[]
} {
  const { initMfa, submitMfa, cancelMfa } = useApp().actions
  const user = useStateOf((state) => state.user)
  return useMemo(
    () => ({ init: initMfa, submit: submitMfa, cancel: cancelMfa, mfaMethods: user?.mfaMethods ?? [] }),
    [initMfa, submitMfa, cancelMfa, user],
  )
}

export function useRegisterMfaListener({
  onMfaRequired,
}: {
  readonly onMfaRequired: (methods: readonly MfaMethod[]) => void
}): void {
  useEvent('mfaRequired', ({ methods }) => onMfaRequired(methods))
}

export function useMfaEnrollment(
  callbacks: Callbacks<{ readonly user: User }> = none,
): Pick<Actions, 'showMfaEnrollment' | 'closeMfaEnrollment' | 'enrollMfa' | 'unenrollMfa'> {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({
    showMfaEnrollment: withCallbacks(actions.showMfaEnrollment, latest, withUser),
    enrollMfa: withCallbacks(actions.enrollMfa, latest, withUser),
    unenrollMfa: withCallbacks(actions.unenrollMfa, latest, withUser),
    closeMfaEnrollment: actions.closeMfaEnrollment,
  }))
}
const withUser = (user: User) => ({ user })

/** Wallets of other apps. `address` names the wallet that signs or sends. */
export function useCrossAppAccounts(): {
  readonly link: Actions['linkCrossAppAccount']
  readonly unlink: Actions['unlinkCrossAppAccount']
  readonly signMessage: Actions['signMessage']
  readonly signTypedData: Actions['signTypedData']
  readonly sendTransaction: Actions['sendTransaction']
} {
  return useOnce(({ actions: { signMessage, signTypedData, sendTransaction, ...actions } }) => ({
    link: actions.linkCrossAppAccount,
    unlink: actions.unlinkCrossAppAccount,
    signMessage,
    signTypedData,
    sendTransaction,
  }))
}

export function useFarcasterSigner(callbacks: Callbacks<FarcasterSigner> = none): {
  readonly requestFarcasterSigner: Actions['requestFarcasterSigner']
  readonly signFarcasterMessage: Actions['signFarcasterMessage']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({
    requestFarcasterSigner: withCallbacks(actions.requestFarcasterSigner, latest),
    signFarcasterMessage: actions.signFarcasterMessage,
  }))
}

export function useOAuthTokens({
  onOAuthTokenGrant,
}: {
  readonly onOAuthTokenGrant?: ((tokens: OAuthTokens, about: { readonly user: User }) => void) | undefined
} = none): { readonly reauthorize: Actions['reauthorize'] } {
  useEvent('oauthTokens', ({ tokens, user }) => onOAuthTokenGrant?.(tokens, { user }))
  return useOnce(({ actions: { reauthorize } }) => ({ reauthorize }))
}

/**
 * The names that pages know from kits whose pages ask for the code themselves. A page of ours never sees a code: these
 * open the dialog at the one method.
 */
export function useLoginWithEmail(callbacks: LoginCallbacks = none): {
  readonly sendCode: (options?: CallOptions) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    sendCode: withCallbacks((options?: CallOptions) => loginBy('email', options), latest),
  }))
}

export function useLoginWithSms(callbacks: LoginCallbacks = none): {
  readonly sendCode: (options?: CallOptions) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    sendCode: withCallbacks((options?: CallOptions) => loginBy('sms', options), latest),
  }))
}

export function useLoginWithOAuth(callbacks: LoginCallbacks = none): {
  readonly initOAuth: (
    at: { readonly provider: SocialProvider },
    options?: CallOptions,
  ) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    initOAuth: withCallbacks(
      ({ provider }: { readonly provider: SocialProvider }, options?: CallOptions) =>
        loginBy(provider, options),
      latest,
    ),
  }))
}

/** Opens the dialog to link a wallet, which signs a message of the dialog's own. */
export function useLinkWithSiwe(callbacks: Callbacks<{ readonly user: User }> = none): {
  readonly linkWithSiwe: (options?: CallOptions) => Promise<User>
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ linkWithSiwe: withCallbacks(actions.linkWallet, latest, withUser) }))
}
