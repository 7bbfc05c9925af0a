import { useLinkAccount, useLogin, useLogout, useLatchkey, useToken } from '@latchkey/loader/react'

declare const track: (event: string, details?: object) => void
declare const router: { push(path: string): void }

export function LoginButton() {
  // @ts-expect-error: left by the codemod
  const { authenticated, user, linkOAuth } = useLatchkey()
  const { login } = useLogin({
    onComplete: ({ user, isNewUser, wasAlreadyAuthenticated, loginMethod }) => {
      if (wasAlreadyAuthenticated) return
      track(isNewUser ? 'signed up' : 'logged in', { id: user.id, loginMethod })
      router.push('/home')
    },
    onError: (error) => track('login failed', { error }),
  })
  const { logout } = useLogout({ onSuccess: () => router.push('/') })
  const { linkEmail } = useLinkAccount({
    onSuccess: ({ linkMethod }) => track('linked', { linkMethod }),
  })
  useToken({
    onAccessTokenGranted: (accessToken) => localStorage.setItem('token', accessToken),
  })

  if (authenticated) {
    return (
      <div>
        <button onClick={() => linkEmail()}>Link an e-mail address</button>
        <button onClick={() => linkOAuth({ provider: 'google' })}>Link Google</button>
        <button onClick={() => logout()}>Log out {user?.email?.address}</button>
      </div>
    )
  }
  return (
    <div>
      <button onClick={() => login()}>Log in</button>
      {/* @ts-expect-error: left by the codemod */}
      <button onClick={() => login({ loginMethods: ['sms'] })}>By phone</button>
    </div>
  )
}
