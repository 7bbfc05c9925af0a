import { getAccessToken, useGuestAccounts } from '@privy-io/react-auth'
import { useLoginWithEmail } from '@latchkey/loader/react'
import { SmartWalletsProvider } from '@privy-io/react-auth/smart-wallets'
import * as server from '@privy-io/node'

export { usePrivy } from '@privy-io/react-auth'

export async function api(path: string) {
  return fetch(path, { headers: { authorization: `Bearer ${await getAccessToken()}` } })
}

export function Form() {
  // @ts-expect-error: left by the codemod
  const { sendCode, loginWithCode, state } = useLoginWithEmail()
  const { createGuestAccount } = useGuestAccounts()
  return (
    <SmartWalletsProvider>
      {/* @ts-expect-error: left by the codemod */}
      <button onClick={() => sendCode({ email: 'ada@example.com' })}>{state.status}</button>
      <button onClick={() => loginWithCode({ code: '123456' })}>Log in</button>
      <button onClick={() => createGuestAccount()}>{typeof server}</button>
    </SmartWalletsProvider>
  )
}
