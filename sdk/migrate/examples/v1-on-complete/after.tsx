import { useCreateWallet, useLogin } from '@latchkey/loader/react'
import { useState } from 'react'

export function Entry({ onDone }: { onDone(id: string): void }) {
  const [address, setAddress] = useState('')
  const { login } = useLogin({
    onComplete: ({ user, isNewUser, loginMethod, loginAccount: linkedAccount }) => {
      if (isNewUser) console.log('welcome', loginMethod, linkedAccount)
      onDone(user.id)
    },
  })
  const { login: loginAgain } = useLogin({
    onComplete: ({ user: who }) => onDone(who.id),
  })
  const { createWallet } = useCreateWallet({
    onSuccess: ({ wallet }) => setAddress(wallet.address),
  })
  return (
    <nav>
      <button onClick={() => login()}>Log in</button>
      <button onClick={() => loginAgain()}>Log in again</button>
      <button onClick={() => createWallet()}>{address || 'Create a wallet'}</button>
    </nav>
  )
}
