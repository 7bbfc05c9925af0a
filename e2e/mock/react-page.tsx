/** A React page with the mock as its client, using the most common hooks. */
import { Show, useLatchkey, useLogin, useLogout, useSignMessage, useWallets } from '@latchkey/loader/react'
import { mockLatchkey } from '@latchkey/testing/mock'
import { MockLatchkeyProvider } from '@latchkey/testing/mock/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const outcomes: unknown[] = []
const latchkey = mockLatchkey({ user: { email: 'mira@example.com' }, loggedIn: false, chains: [1, 10] })
Object.assign(globalThis, { outcomes, control: latchkey.control })

function App() {
  const { ready, authenticated, user, isModalOpen } = useLatchkey()
  const { wallets } = useWallets()
  const { login } = useLogin({
    onComplete: ({ isNewUser }) => outcomes.push(['login', isNewUser]),
    onError: (code) => outcomes.push(['login', code]),
  })
  const { logout } = useLogout({ onSuccess: () => outcomes.push(['logout']) })
  const { signMessage } = useSignMessage({
    onSuccess: ({ signature }) => outcomes.push(['signed', signature]),
    onError: (code) => outcomes.push(['signed', code]),
  })
  return (
    <>
      <output data-testid="state">{JSON.stringify({ ready, authenticated, isModalOpen })}</output>
      <output data-testid="wallets">
        {wallets.map(({ address, chainId }) => `${address} ${chainId}`).join()}
      </output>
      <Show
        when="logged-in"
        fallback={
          <button type="button" onClick={() => login()}>
            Log in
          </button>
        }
      >
        <p>Hello {user?.displayName}</p>
        <button type="button" onClick={() => signMessage('Two herons')}>
          Sign
        </button>
        <button type="button" onClick={() => logout()}>
          Log out
        </button>
      </Show>
      <Show when="unreachable">It can not be reached</Show>
    </>
  )
}

const root = document.createElement('div')
document.body.replaceChildren(root)
createRoot(root).render(
  <StrictMode>
    <MockLatchkeyProvider client={latchkey}>
      <App />
    </MockLatchkeyProvider>
  </StrictMode>,
)
