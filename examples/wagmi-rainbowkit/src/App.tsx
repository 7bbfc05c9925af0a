import { LatchkeyProvider, Show, useLogout, useUser } from '@latchkey/loader/react'
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useSignMessage, WagmiProvider } from 'wagmi'
import { appId, dialogUrl } from './settings.ts'
import { config } from './wagmi.ts'

const queryClient = new QueryClient()

export function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <RainbowKitProvider>
          <LatchkeyProvider appId={appId} dialogUrl={dialogUrl}>
            <ConnectButton />
            <Show when="logged-in">
              <Account />
            </Show>
          </LatchkeyProvider>
        </RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

function Account() {
  const { user } = useUser()
  const { logout } = useLogout()
  const { data: signature, signMessage } = useSignMessage()
  return (
    <>
      <p>Hello {user?.displayName}</p>
      <button type="button" onClick={() => signMessage({ message: 'I agree to share my observations.' })}>
        Sign a message
      </button>
      <button type="button" onClick={() => logout()}>
        Log out
      </button>
      <output>{signature}</output>
    </>
  )
}
