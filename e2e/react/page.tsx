/** A React page instead of the one-line page's script. It counts the renders of each hook. */
import {
  LatchkeyProvider,
  Show,
  useConnectWallet,
  useCreateWallet,
  useLatchkey,
  useLinkAccount,
  useLogin,
  useLoginWithEmail,
  useLogout,
  useModalStatus,
  useSignMessage,
  useSolanaWallets,
  useToken,
  useUser,
  useWallets,
} from '@latchkey/loader/react'
import { StrictMode, version } from 'react'
import { createRoot } from 'react-dom/client'

const renders: Record<string, number> = {}
const told: unknown[] = []
/** Names of functions that changed between renders. */
const replaced: string[] = []
Object.assign(globalThis, { renders, told, replaced, reactVersion: version })

const functionsByName = new Map<string, object>()
function count(name: string, functions: object) {
  renders[name] = (renders[name] ?? 0) + 1
  const previous = functionsByName.get(name)
  for (const [key, value] of Object.entries(functions)) {
    if (typeof value === 'function' && previous && Reflect.get(previous, key) !== value) {
      replaced.push(`${name}.${key}`)
    }
  }
  functionsByName.set(name, functions)
}

const hooks = {
  useLatchkey,
  useUser,
  useWallets,
  useSolanaWallets,
  useModalStatus,
  useToken,
  useCreateWallet,
  useConnectWallet,
  useLinkAccount,
  useLogout,
}
const counters = Object.entries(hooks).map(([name, useIt]) =>
  Object.assign(
    () => {
      count(name, useIt())
      return null
    },
    { displayName: name },
  ),
)

function Account() {
  const { ready, authenticated, user } = useLatchkey()
  const { wallets } = useWallets()
  const { isOpen } = useModalStatus()
  const { refreshUser } = useUser()
  const { login } = useLogin({
    onComplete: ({ user, wasAlreadyAuthenticated }) =>
      told.push(['login', user.email?.address, wasAlreadyAuthenticated]),
    onError: (code) => told.push(['login', code]),
  })
  const { sendCode } = useLoginWithEmail({ onError: (code) => told.push(['email', code]) })
  const { logout } = useLogout({ onSuccess: () => told.push(['logout']) })
  const { signMessage } = useSignMessage({ onSuccess: ({ signature }) => told.push(['signed', signature]) })
  return (
    <main>
      <output data-testid="status">{JSON.stringify({ ready, authenticated, isOpen })}</output>
      <output data-testid="user-email">{user?.email?.address}</output>
      <output data-testid="wallets">{wallets.map(({ address }) => address).join()}</output>
      <button type="button" data-testid="refresh" onClick={() => refreshUser()}>
        Refresh
      </button>
      <Show
        when="logged-in"
        fallback={
          <>
            {/* Like host pages write it: the first argument is the click event. */}
            <button type="button" data-testid="login" onClick={login as () => void}>
              Log in
            </button>
            <button type="button" data-testid="email" onClick={() => sendCode().catch(() => {})}>
              By e-mail
            </button>
          </>
        }
      >
        <button type="button" data-testid="sign" onClick={() => signMessage('From React')}>
          Sign
        </button>
        <button type="button" data-testid="logout" onClick={logout}>
          Log out
        </button>
      </Show>
    </main>
  )
}

const { appId = '', dialogUrl = '' } = document.documentElement.dataset
const root = document.createElement('div')
document.body.replaceChildren(root)
createRoot(root).render(
  <StrictMode>
    <LatchkeyProvider appId={appId} dialogUrl={dialogUrl} config={{ appearance: { theme: 'light' } }}>
      <Account />
      {counters.map((Counter) => (
        <Counter key={Counter.displayName} />
      ))}
    </LatchkeyProvider>
  </StrictMode>,
)
