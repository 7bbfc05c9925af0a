import dynamic from 'next/dynamic'
import type { AppProps } from 'next/app'
import type { ClientConfig } from '@latchkey/loader'
import { mainnet, optimism } from 'viem/chains'

const LatchkeyProvider = dynamic(() => import('@latchkey/loader/react').then((mod) => mod.LatchkeyProvider), {
  ssr: false,
})

const privyConfig: ClientConfig = {
  loginMethodsAndOrder: { primary: ['email', 'google'] },
  appearance: { theme: 'light' },
  embeddedWallets: { createOnLogin: 'all-users' },
  supportedChains: [mainnet.id, optimism.id],
  defaultChain: mainnet.id,
}

export default function App({ Component, pageProps }: AppProps) {
  return (
    <LatchkeyProvider appId={process.env.NEXT_PUBLIC_PRIVY_APP_ID as string} dialogUrl={process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL as string} config={privyConfig}>
      <Component {...pageProps} />
    </LatchkeyProvider>
  )
}
