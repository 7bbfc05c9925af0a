import { LatchkeyProvider, Show, useLogin, useLogout, useSignMessage, useUser } from '@latchkey/loader/react'
import { useState } from 'react'
import { appId, dialogUrl } from './settings.ts'

export function App() {
  return (
    <LatchkeyProvider appId={appId} dialogUrl={dialogUrl}>
      <Show when="logged-in" fallback={<LogIn />}>
        <Account />
      </Show>
    </LatchkeyProvider>
  )
}

function LogIn() {
  const { login } = useLogin()
  return (
    <button type="button" onClick={() => login()}>
      Log in
    </button>
  )
}

function Account() {
  const { user } = useUser()
  const { logout } = useLogout()
  const [signature, setSignature] = useState('')
  const { signMessage } = useSignMessage({ onSuccess: ({ signature }) => setSignature(signature) })
  return (
    <>
      <p>Hello {user?.displayName}</p>
      <button type="button" onClick={() => signMessage('I agree to share my observations.')}>
        Sign a message
      </button>
      <button type="button" onClick={() => logout()}>
        Log out
      </button>
      <output>{signature}</output>
    </>
  )
}
