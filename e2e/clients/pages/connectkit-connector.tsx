import { config } from 'printed:connectkit'
import { ConnectKitButton, ConnectKitProvider } from 'connectkit'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { offerWagmi, show } from './wagmi-client.tsx'

const library = { ...wagmi, ...actions }
offerWagmi(library, config as never, {}, 'latchkey')
show(library, config as never, (content) => (
  <ConnectKitProvider>
    <ConnectKitButton />
    {content}
  </ConnectKitProvider>
))
