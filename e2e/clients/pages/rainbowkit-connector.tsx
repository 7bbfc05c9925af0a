import '@rainbow-me/rainbowkit/styles.css'
import { config } from 'printed:rainbowkit'
import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { offerWagmi, show } from './wagmi-client.tsx'

const library = { ...wagmi, ...actions }
offerWagmi(library, config as never, {}, 'latchkey')
show(library, config as never, (content) => (
  <RainbowKitProvider>
    <ConnectButton />
    {content}
  </RainbowKitProvider>
))
