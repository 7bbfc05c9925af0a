import { PrivyProvider, usePrivy, type User } from '@privy-io/react-auth'
import { UserPill } from '@privy-io/react-auth/ui'
import { createRoot } from 'react-dom/client'

// @ts-expect-error: left by the codemod
const getName = (user: User) => user.google?.email ?? user.email?.address ?? user.id

function Profile() {
  const { ready, authenticated, user, login, logout } = usePrivy()
  if (!ready) return <p>One moment</p>
  if (!authenticated || !user) return <button onClick={login}>Log in</button>
  return (
    <section>
      <h1>Hello {getName(user)}</h1>
      {/* @ts-expect-error: left by the codemod */}
      <p>{user.twitter?.username}</p>
      {/* @ts-expect-error: left by the codemod */}
      <p>A member since {user.createdAt.toLocaleDateString()}</p>
      <button type="button" onClick={logout}>Log out</button>
      <UserPill />
    </section>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <PrivyProvider appId={import.meta.env.VITE_PRIVY_APP_ID} config={{ appearance: { showWalletLoginFirst: false, theme: 'light' } }}>
    <Profile />
  </PrivyProvider>,
)
