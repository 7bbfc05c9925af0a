/** The hooks, one function per concern, so that bundlers drop unused ones. */
import { useEffect, useMemo } from 'react'
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
import { useApp, useSelector } from './provider.ts'

const none = {}

export type UseLatchkey = Actions & {
  /** Whether the user and all their wallets are known. */
  ready: boolean
  authenticated: boolean
  user: User | null
  /** The error while the dialog is unreachable. */
  error: LatchkeyError | null
  isModalOpen: boolean
}

/** Returns the whole state and all calls. */
export function useLatchkey(): UseLatchkey {
  const { actions } = useApp()
  const ready = useReady()
  const user = useSelector((state) => state.user)
  const error = useSelector((state) => state.error)
  const isModalOpen = useSelector((state) => state.isOpen)
  return useMemo(
    () => ({ ...actions, ready, authenticated: user !== null, user, error, isModalOpen }),
    [actions, ready, user, error, isModalOpen],
  )
}

/** The last known user counts as ready while the dialog is unreachable. */
const useReady = () => useSelector(({ status, user }) => status === 'ready' || user !== null)

/** Returns the user, or null for a visitor and while loading. */
export function useUser(): { user: User | null; refreshUser: () => Promise<User | null> } {
  const { getUser } = useApp().actions
  const user = useSelector((state) => state.user)
  return useMemo(() => ({ user, refreshUser: getUser }), [user, getUser])
}

/** Returns the wallets for Ethereum and other EVM chains. `ready` is true once all are loaded. */
export function useWallets(): { wallets: readonly EthereumWallet[]; ready: boolean } {
  const ready = useReady()
  const wallets = useSelector((state) => state.wallets)
  return useMemo(() => ({ wallets, ready }), [wallets, ready])
}

export function useSolanaWallets(): {
  wallets: readonly SolanaWallet[]
  ready: boolean
  createWallet: () => Promise<WalletAccount>
} {
  const { createSolanaWallet } = useApp().actions
  const ready = useReady()
  const wallets = useSelector((state) => state.solanaWallets)
  return useMemo(
    () => ({ wallets, ready, createWallet: createSolanaWallet }),
    [wallets, ready, createSolanaWallet],
  )
}

/** Returns whether the dialog is visible. */
export function useModalStatus(): { isOpen: boolean } {
  const isOpen = useSelector((state) => state.isOpen)
  return useMemo(() => ({ isOpen }), [isOpen])
}

export type LoginCallbacks = ErrorCallback & {
  /** Called after a login with this hook, but not if the user was already logged in. */
  onComplete?: ((result: LoginResult) => void) | undefined
}
const useLoginCallbacks = ({ onComplete, onError }: LoginCallbacks) =>
  useLatest({ onSuccess: onComplete, onError })

export function useLogin(callbacks: LoginCallbacks = none): { login: Actions['login'] } {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ actions }) => ({ login: withCallbacks(actions.login, latest) }))
}

export function useLogout(callbacks: Callbacks<void> = none): { logout: Actions['logout'] } {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ logout: withCallbacks(actions.logout, latest) }))
}

/**
 * Logs in when the user of your page changes, and out when it becomes null. For a provider with `auth`. Pass
 * undefined while your page does not know its user yet.
 */
export function useOwnLogin(userId: string | null | undefined, callbacks: LoginCallbacks = none): void {
  const { login } = useLogin(callbacks)
  const { logout } = useLogout(callbacks)
  useEffect(() => {
    if (userId === undefined) return
    const call: Promise<unknown> = userId === null ? logout() : login()
    // The callbacks have the error.
    call.catch(() => {})
  }, [userId, login, logout])
}

export type TokenCallbacks = {
  onAccessTokenGranted?: ((token: string) => void) | undefined
  onAccessTokenRemoved?: (() => void) | undefined
}
export function useToken({ onAccessTokenGranted, onAccessTokenRemoved }: TokenCallbacks = none): {
  getAccessToken: Actions['getAccessToken']
} {
  useEvent('token', (event) => {
    if (event.type === 'granted') onAccessTokenGranted?.(event.token)
    else onAccessTokenRemoved?.()
  })
  return useOnce(({ actions: { getAccessToken } }) => ({ getAccessToken }))
}

type WithWallet<Wallet> = { wallet: Wallet }
const withWallet = <Wallet>(wallet: Wallet): WithWallet<Wallet> => ({ wallet })

export function useCreateWallet(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  createWallet: Actions['createWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ createWallet: withCallbacks(actions.createWallet, latest, withWallet) }))
}

export function useImportWallet(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  importWallet: Actions['importWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ importWallet: withCallbacks(actions.importWallet, latest, withWallet) }))
}

export function useExportWallet(callbacks: Callbacks<void> = none): {
  exportWallet: Actions['exportWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ exportWallet: withCallbacks(actions.exportWallet, latest) }))
}

export function useSetWalletRecovery(callbacks: Callbacks<WithWallet<WalletAccount>> = none): {
  setWalletRecovery: Actions['setWalletRecovery']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({
    setWalletRecovery: withCallbacks(actions.setWalletRecovery, latest, withWallet),
  }))
}

export function useConnectWallet(
  callbacks: Callbacks<WithWallet<ConnectedWallet | WalletConnection>> = none,
): {
  connectWallet: Actions['connectWallet']
  connectOrCreateWallet: Actions['connectOrCreateWallet']
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
  signMessage: Actions['signMessage']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ signMessage: withCallbacks(actions.signMessage, latest) }))
}

export function useSignTypedData(callbacks: Callbacks<SignedMessage> = none): {
  signTypedData: Actions['signTypedData']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ signTypedData: withCallbacks(actions.signTypedData, latest) }))
}

export function useSendTransaction(callbacks: Callbacks<SentTransaction> = none): {
  sendTransaction: Actions['sendTransaction']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ sendTransaction: withCallbacks(actions.sendTransaction, latest) }))
}

export function useFundWallet(callbacks: Callbacks<Funded> = none): {
  fundWallet: Actions['fundWallet']
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ fundWallet: withCallbacks(actions.fundWallet, latest) }))
}

type LinkName = `link${Linkable}`
export type LinkCallbacks = {
  onSuccess?:
    | ((linked: {
        user: User
        /** The account type as in the call's name: `Email`, `Google`. */
        linkMethod: Linkable
        /** The account that was added; null if it was linked before. */
        linkedAccount: LinkedAccount | null
      }) => void)
    | undefined
  onError?: ((code: ErrorCode, about: { linkMethod: Linkable; error: LatchkeyError }) => void) | undefined
}

export function useLinkAccount(callbacks: LinkCallbacks = none): Pick<Actions, LinkName> {
  const latest = useLatest(callbacks)
  return useOnce(({ actions, store }) => {
    const names = Object.keys(actions).filter(
      (name): name is LinkName => name.startsWith('link') && !name.endsWith('Account'),
    )
    return Object.fromEntries(
      names.map((name) => [
        name,
        (options?: CallOptions) => {
          const linkMethod = name.slice('link'.length) as Linkable
          const previousAccounts = new Set(store.getSnapshot().user?.linkedAccounts.map(toComparable))
          const linking = actions[name](options)
          linking.then(
            (user) => {
              const linkedAccount =
                user.linkedAccounts.find((account) => !previousAccounts.has(toComparable(account))) ?? null
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

/** Serializes an account without its verification times, to compare accounts. */
const toComparable = ({ verifiedAt, firstVerifiedAt, latestVerifiedAt, ...account }: LinkedAccount) =>
  JSON.stringify(account)

/** Used by pages that prompt for verifications themselves (`mfa.noPromptOnMfaRequired`). */
export function useMfa(): {
  init: Actions['initMfa']
  submit: Actions['submitMfa']
  cancel: Actions['cancelMfa']
  mfaMethods: readonly MfaMethod[]
} {
  const { initMfa, submitMfa, cancelMfa } = useApp().actions
  const user = useSelector((state) => state.user)
  return useMemo(
    () => ({ init: initMfa, submit: submitMfa, cancel: cancelMfa, mfaMethods: user?.mfaMethods ?? [] }),
    [initMfa, submitMfa, cancelMfa, user],
  )
}

export function useRegisterMfaListener({
  onMfaRequired,
}: {
  onMfaRequired: (methods: readonly MfaMethod[]) => void
}): void {
  useEvent('mfaRequired', ({ methods }) => onMfaRequired(methods))
}

export function useMfaEnrollment(
  callbacks: Callbacks<{ user: User }> = none,
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

/** Calls for wallets of other apps. `address` selects the wallet that signs or sends. */
export function useCrossAppAccounts(): {
  link: Actions['linkCrossAppAccount']
  unlink: Actions['unlinkCrossAppAccount']
  signMessage: Actions['signMessage']
  signTypedData: Actions['signTypedData']
  sendTransaction: Actions['sendTransaction']
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
  requestFarcasterSigner: Actions['requestFarcasterSigner']
  signFarcasterMessage: Actions['signFarcasterMessage']
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
  onOAuthTokenGrant?: ((tokens: OAuthTokens, about: { user: User }) => void) | undefined
} = none): { reauthorize: Actions['reauthorize'] } {
  useEvent('oauthTokens', ({ tokens, user }) => onOAuthTokenGrant?.(tokens, { user }))
  return useOnce(({ actions: { reauthorize } }) => ({ reauthorize }))
}

/**
 * Opens the dialog with the e-mail login only. Named like in kits whose pages enter the code themselves; with
 * Latchkey, pages never see codes.
 */
export function useLoginWithEmail(callbacks: LoginCallbacks = none): {
  sendCode: (options?: CallOptions) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    sendCode: withCallbacks((options?: CallOptions) => loginBy('email', options), latest),
  }))
}

export function useLoginWithSms(callbacks: LoginCallbacks = none): {
  sendCode: (options?: CallOptions) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    sendCode: withCallbacks((options?: CallOptions) => loginBy('sms', options), latest),
  }))
}

export function useLoginWithOAuth(callbacks: LoginCallbacks = none): {
  initOAuth: (at: { provider: SocialProvider }, options?: CallOptions) => Promise<LoginResult>
} {
  const latest = useLoginCallbacks(callbacks)
  return useOnce(({ loginBy }) => ({
    initOAuth: withCallbacks(
      ({ provider }: { provider: SocialProvider }, options?: CallOptions) => loginBy(provider, options),
      latest,
    ),
  }))
}

/** Opens the dialog to link a wallet, which signs the dialog's own message. */
export function useLinkWithSiwe(callbacks: Callbacks<{ user: User }> = none): {
  linkWithSiwe: (options?: CallOptions) => Promise<User>
} {
  const latest = useLatest(callbacks)
  return useOnce(({ actions }) => ({ linkWithSiwe: withCallbacks(actions.linkWallet, latest, withUser) }))
}
