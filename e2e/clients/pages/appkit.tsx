import { anvil } from '@reown/appkit/networks'
import { createAppKit } from '@reown/appkit/react'
import { WagmiAdapter } from '@reown/appkit-adapter-wagmi'
import { http } from 'viem'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { chainUrl } from './client.ts'
import { foreign, offerWagmi, second, show } from './wagmi-client.tsx'

const networks = [anvil, second, foreign]
const projectId = '0'.repeat(32)
const transport = http(chainUrl)
const adapter = new WagmiAdapter({
  networks,
  projectId,
  transports: { [anvil.id]: transport, [second.id]: transport, [foreign.id]: transport },
})
createAppKit({
  adapters: [adapter],
  networks: [anvil, second, foreign],
  projectId,
  features: { analytics: false, email: false, socials: false, swaps: false, onramp: false },
})
const library = { ...wagmi, ...actions }
offerWagmi(library, adapter.wagmiConfig)
show(library, adapter.wagmiConfig, (content) => (
  <>
    <appkit-button />
    {content}
  </>
))

declare module 'react' {
  namespace JSX {
    // biome-ignore lint/style/useConsistentTypeDefinitions: it is added to React's own
    interface IntrinsicElements {
      'appkit-button': object
    }
  }
}
