'use client'

import { PrivyProvider } from '@privy-io/react-auth'
import { WagmiProvider, createConfig } from '@privy-io/wagmi'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { http } from 'wagmi'
import { base, mainnet } from 'wagmi/chains'

const queryClient = new QueryClient()

const config = createConfig({
  chains: [mainnet, base],
  transports: { [mainnet.id]: http(), [base.id]: http() },
})

export default function Web3Provider({ children }: { children: React.ReactNode }) {
  return (
    <PrivyProvider appId="cm0aaaaaaaaaaaaaaaaaaaaaa" config={{ supportedChains: [mainnet, base], defaultChain: base }}>
      <QueryClientProvider client={queryClient}>
        <WagmiProvider config={config}>{children}</WagmiProvider>
      </QueryClientProvider>
    </PrivyProvider>
  )
}
