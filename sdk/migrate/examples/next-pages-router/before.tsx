import dynamic from 'next/dynamic'
import type { AppProps } from 'next/app'
import type { PrivyClientConfig } from '@privy-io/react-auth'
import { mainnet, optimism } from 'viem/chains'

const PrivyProvider = dynamic(() => import('@privy-io/react-auth').then((mod) => mod.PrivyProvider), {
  ssr: false,
})

const privyConfig: PrivyClientConfig = {
  loginMethodsAndOrder: { primary: ['email', 'google'] },
  appearance: { theme: 'light', walletChainType: 'ethereum-only' },
  embeddedWallets: { createOnLogin: 'all-users' },
  supportedChains: [mainnet, optimism],
  defaultChain: mainnet,
}

export default function App({ Component, pageProps }: AppProps) {
  return (
    <PrivyProvider appId={process.env.NEXT_PUBLIC_PRIVY_APP_ID as string} config={privyConfig}>
      <Component {...pageProps} />
    </PrivyProvider>
  )
}
