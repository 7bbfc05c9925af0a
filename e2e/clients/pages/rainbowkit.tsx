import '@rainbow-me/rainbowkit/styles.css'
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { createWagmiConfig, offerWagmi, show } from './wagmi-client.tsx'

const config = createWagmiConfig(wagmi)
offerWagmi({ ...wagmi, ...actions }, config)
show({ ...wagmi, ...actions }, config, (content) => (
  <RainbowKitProvider>
    <ConnectButton />
    {content}
  </RainbowKitProvider>
))
