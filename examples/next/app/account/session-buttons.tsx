'use client'

import { Show, useLatchkey } from '@latchkey/loader/react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Keeps the cookie of this app equal to the login. `userId` is the user of the cookie. */
export function SessionButtons({ userId }: { userId: string | undefined }) {
  const { ready, user, login, logout, getAccessToken } = useLatchkey()
  const router = useRouter()
  const loggedInId = user?.id

  useEffect(() => {
    if (!ready || loggedInId === userId) return
    async function exchange() {
      const token = await getAccessToken()
      if (token === null) await fetch('/api/session', { method: 'DELETE' })
      else await fetch('/api/session', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      router.refresh()
    }
    void exchange()
  }, [ready, loggedInId, userId, getAccessToken, router])

  return (
    <Show
      when="logged-in"
      fallback={
        <button type="button" onClick={() => login()}>
          Log in
        </button>
      }
    >
      <p>Hello {user?.displayName}</p>
      <button type="button" onClick={() => logout()}>
        Log out
      </button>
    </Show>
  )
}
