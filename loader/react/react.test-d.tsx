/** The hooks as a host's editor shows them. Only type-checked; nothing here runs. */
import type { ErrorCode, LoginResult, User, WalletAccount } from '../start/index.ts'
import {
  type EthereumWallet,
  LatchkeyProvider,
  type SentTransaction,
  Show,
  type SolanaWallet,
  UserPill,
  useConnectWallet,
  useCreateWallet,
  useLatchkey,
  useLinkAccount,
  useLogin,
  useLoginWithOAuth,
  useLogout,
  useMfa,
  useOAuthTokens,
  useRegisterMfaListener,
  useSendTransaction,
  useSignMessage,
  type useSolanaWallets,
  useToken,
  useUser,
  useWallets,
} from './react.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const check = <T extends true>(_: T) => {}

export function Page() {
  const latchkey = useLatchkey()
  check<Same<typeof latchkey.ready, boolean>>(true)
  check<Same<typeof latchkey.user, User | null>>(true)
  check<Same<ReturnType<typeof latchkey.login>, Promise<LoginResult>>>(true)
  check<Same<ReturnType<typeof latchkey.sendTransaction>, Promise<SentTransaction>>>(true)
  check<Same<ReturnType<typeof latchkey.linkGoogle>, Promise<User>>>(true)
  // @ts-expect-error only the provider configures
  latchkey.setConfig({})
  // @ts-expect-error only the provider destroys the handle
  latchkey.destroy()

  const { login } = useLogin({
    onComplete: ({ isNewUser, user }) => check<Same<typeof isNewUser | typeof user, boolean | User>>(true),
    onError: (code) => check<Same<typeof code, ErrorCode>>(true),
  })
  useLogout({ onSuccess: () => {} })
  useCreateWallet({ onSuccess: ({ wallet }) => check<Same<typeof wallet, WalletAccount>>(true) })
  useConnectWallet({ onSuccess: ({ wallet }) => check<Same<typeof wallet.address, string>>(true) })
  useSignMessage({ onSuccess: ({ signature }) => check<Same<typeof signature, `0x${string}`>>(true) })
  useSendTransaction({ onSuccess: ({ hash, receipt }) => [hash.length, receipt?.gasUsed] })
  useToken({ onAccessTokenGranted: (token) => token.length, onAccessTokenRemoved: () => {} })
  useOAuthTokens({ onOAuthTokenGrant: (tokens, { user }) => [tokens.provider, user.id] })
  useRegisterMfaListener({ onMfaRequired: (methods) => methods.includes('totp') })
  useLinkAccount({ onError: (code, { linkMethod }) => [code, linkMethod === 'Google'] }).linkPasskey()
  useLoginWithOAuth().initOAuth({ provider: 'google' })
  useMfa().submit('sms', '123456')
  // @ts-expect-error the listener is required
  useRegisterMfaListener({})
  // @ts-expect-error unknown callback
  useLogin({ onSuccess: () => {} })

  const { user, refreshUser } = useUser()
  check<Same<ReturnType<typeof refreshUser>, Promise<User | null>>>(true)
  const { wallets } = useWallets()
  check<Same<(typeof wallets)[number], EthereumWallet>>(true)
  check<Same<ReturnType<typeof useSolanaWallets>['wallets'], readonly SolanaWallet[]>>(true)
  // @ts-expect-error the list is read-only
  wallets.push()

  return (
    <LatchkeyProvider appId="a" config={{ appearance: { theme: 'dark' } }}>
      <Show
        when="logged-in"
        fallback={
          <button type="button" onClick={login as () => void}>
            Log in
          </button>
        }
      >
        {user?.displayName}
      </Show>
      <UserPill />
      {/* @ts-expect-error there is no such state */}
      <Show when="asleep">no</Show>
    </LatchkeyProvider>
  )
}
// @ts-expect-error the app id is required
export const without = <LatchkeyProvider dialogUrl="https://dialog.example" />
