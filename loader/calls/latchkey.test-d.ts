/** The API as a host's editor shows it. Only type-checked; nothing here runs. */
import { BrowserProvider } from 'ethers'
import { createWalletClient, custom } from 'viem'
import {
  type ClientConfig,
  createLatchkey,
  type EthereumProvider,
  type EthereumProviderError,
  type ForkedSession,
  type Latchkey,
  type LatchkeyEvents,
  type LoginMethod,
  type LoginResult,
  type OAuthTokens,
  type Ready,
  type SignedMessage,
  type User,
} from '../start/index.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const check = <T extends true>(_: T) => {}

check<Same<ReturnType<Latchkey['login']>, Promise<LoginResult>>>(true)
check<Same<ReturnType<Latchkey['getUser']>, Promise<User | null>>>(true)
check<Same<ReturnType<Latchkey['getAccessToken']>, Promise<string | null>>>(true)
check<Same<ReturnType<Latchkey['signMessage']>, Promise<SignedMessage>>>(true)
check<Same<ReturnType<Latchkey['forkSession']>, Promise<ForkedSession>>>(true)
check<Same<ForkedSession['code'], string>>(true)
check<Same<ForkedSession['expiresInSeconds'], number>>(true)
check<Same<Parameters<Latchkey['setConfig']>[0], ClientConfig>>(true)
check<Same<SignedMessage['signature'] | SignedMessage['address'], `0x${string}`>>(true)
check<
  Same<
    NonNullable<NonNullable<ClientConfig['appearance']>['theme']>,
    'light' | 'dark' | 'auto' | `#${string}`
  >
>(true)
check<Same<NonNullable<NonNullable<ClientConfig['legal']>['privacyPolicyUrl']>, `https://${string}`>>(true)
check<Same<Parameters<Latchkey['signMessage']>[0], string | { raw: `0x${string}` }>>(true)
check<Same<Latchkey['ready'], Promise<Ready>>>(true)
check<
  Same<ReturnType<Latchkey['linkGoogle'] | Latchkey['unlinkPhone'] | Latchkey['updateEmail']>, Promise<User>>
>(true)
check<Same<Parameters<Latchkey['unlinkWallet']>[0], string>>(true)
check<Same<LatchkeyEvents['login']['user'], User>>(true)
check<Same<LatchkeyEvents['oauthTokens'], { tokens: OAuthTokens; user: User }>>(true)
check<Same<ReturnType<Latchkey['reauthorize']>, Promise<User>>>(true)
check<Same<ReturnType<Latchkey['linkCrossAppAccount']>, Promise<User>>>(true)
check<Same<Parameters<Latchkey['linkCrossAppAccount']>[0], { appId: string }>>(true)
check<Same<Parameters<Latchkey['unlinkCrossAppAccount']>[0], { subject: string }>>(true)
check<Same<'latchkey:app' extends LoginMethod ? true : false, true>>(true)
check<Same<'elsewhere:app' extends LoginMethod ? true : false, false>>(true)
check<Same<NonNullable<NonNullable<Parameters<Latchkey['signTypedData']>[1]>['address']>, `0x${string}`>>(
  true,
)
check<Same<NonNullable<NonNullable<Parameters<Latchkey['sendTransaction']>[1]>['address']>, `0x${string}`>>(
  true,
)
check<
  Same<
    keyof LatchkeyEvents,
    | 'ready'
    | 'login'
    | 'logout'
    | 'user'
    | 'token'
    | 'open'
    | 'close'
    | 'error'
    | 'oauthTokens'
    | 'mfaRequired'
    | 'chainChanged'
    | 'drawn'
    | 'walletConnected'
    | 'walletDisconnected'
    | 'hostLoginFailed'
  >
>(true)

const latchkey = createLatchkey({ appId: 'a' })
latchkey.on('user', ({ user }) => check<Same<typeof user, User | null>>(true))
latchkey.on('error', ({ error }) => error.code === 'server_unreachable')
check<Same<ReturnType<typeof latchkey.on>, () => void>>(true)

const { signal }: { signal?: AbortSignal } = new AbortController()
latchkey.login({ signal })
latchkey.signMessage('hi', { title: 'Sign', signal })

// @ts-expect-error a call without a prompt cannot be cancelled
latchkey.getUser({ signal })
// @ts-expect-error the app id is required
createLatchkey({ dialogUrl: 'https://dialog.example' })
// @ts-expect-error unknown preload value
createLatchkey({ appId: 'a', preload: 'later' })
// @ts-expect-error a theme is a string
createLatchkey({ appId: 'a', config: { appearance: { theme: 1 } } })
createLatchkey({ appId: 'a', config: { appearance: { theme: '#101418', accentColor: '#336699' } } })
// @ts-expect-error unknown theme
createLatchkey({ appId: 'a', config: { appearance: { theme: 'night' } } })
// @ts-expect-error a color must be #rrggbb
createLatchkey({ appId: 'a', config: { appearance: { accentColor: 'red' } } })
// @ts-expect-error links must use https
createLatchkey({ appId: 'a', config: { legal: { privacyPolicyUrl: 'http://a.example' } } })
// @ts-expect-error the event has no user
latchkey.on('open', ({ user }) => user)
// @ts-expect-error a message must be a string
latchkey.signMessage(new Uint8Array())
// @ts-expect-error the handle is read-only
latchkey.login = () => {}

check<Same<ReturnType<Latchkey['getEthereumProvider']>, Promise<EthereumProvider>>>(true)
latchkey.getEthereumProvider({ announce: true }).then((provider) => {
  createWalletClient({ transport: custom(provider) })
  new BrowserProvider(provider)
  provider
    .on('chainChanged', (chainId) => check<Same<typeof chainId, `0x${string}`>>(true))
    .on('accountsChanged', (accounts) => check<Same<typeof accounts, readonly `0x${string}`[]>>(true))
    .on('disconnect', (error) => check<Same<typeof error, EthereumProviderError>>(true))
  // @ts-expect-error unknown provider event
  provider.on('message', () => {})
})
// @ts-expect-error unknown option
latchkey.getEthereumProvider({ name: 'mine' })
