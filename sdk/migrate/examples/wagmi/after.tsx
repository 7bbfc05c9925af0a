'use client'

import { LatchkeyProvider } from '@latchkey/loader/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { http, WagmiProvider, createConfig } from 'wagmi'
import { base, mainnet } from 'wagmi/chains'

const queryClient = new QueryClient()

const config = createConfig({
  chains: [mainnet, base],
  transports: { [mainnet.id]: http(), [base.id]: http() },
})

export default function Web3Provider({ children }: { children: React.ReactNode }) {
  return (
    <LatchkeyProvider appId="cm0aaaaaaaaaaaaaaaaaaaaaa" dialogUrl={process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL as string} config={{ supportedChains: [mainnet.id, base.id], defaultChain: base.id }}>
      <QueryClientProvider client={queryClient}>
        <WagmiProvider config={config}>{children}</WagmiProvider>
      </QueryClientProvider>
    </LatchkeyProvider>
  )
}
