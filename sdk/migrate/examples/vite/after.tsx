import { LatchkeyProvider, useLatchkey, UserPill } from '@latchkey/loader/react'
import type { User } from '@latchkey/loader'
import { createRoot } from 'react-dom/client'

// @ts-expect-error: left by the codemod
const getName = (user: User) => user.google?.email ?? user.email?.address ?? user.id

function Profile() {
  const { ready, authenticated, user, login, logout } = useLatchkey()
  if (!ready) return <p>One moment</p>
  if (!authenticated || !user) return <button onClick={() => login()}>Log in</button>
  return (
    <section>
      <h1>Hello {getName(user)}</h1>
      {/* @ts-expect-error: left by the codemod */}
      <p>{user.twitter?.username}</p>
      {/* @ts-expect-error: left by the codemod */}
      <p>A member since {user.createdAt.toLocaleDateString()}</p>
      <button type="button" onClick={() => logout()}>Log out</button>
      <UserPill />
    </section>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider appId={import.meta.env.VITE_PRIVY_APP_ID} dialogUrl={import.meta.env.VITE_LATCHKEY_DIALOG_URL} config={{ appearance: { theme: 'light' } }}>
    <Profile />
  </LatchkeyProvider>,
)
