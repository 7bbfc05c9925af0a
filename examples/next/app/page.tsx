'use client'

import { Show, useLogin, useLogout, useToken, useUser } from '@latchkey/loader/react'
import { useState } from 'react'

export default function Page() {
  return (
    <Show when="logged-in" fallback={<LogIn />}>
      <Account />
    </Show>
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
  const { getAccessToken } = useToken()
  const [answer, setAnswer] = useState('')

  async function askServer() {
    const response = await fetch('/api/me', {
      headers: { authorization: `Bearer ${await getAccessToken()}` },
    })
    const me = await response.json()
    setAnswer(response.ok ? me.userId : me.code)
  }

  return (
    <>
      <p>Hello {user?.displayName}</p>
      <button type="button" onClick={askServer}>
        Ask the server
      </button>
      <button type="button" onClick={() => logout()}>
        Log out
      </button>
      <output>{answer}</output>
    </>
  )
}
