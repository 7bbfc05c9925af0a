import { adapter } from 'printed:appkit'
import { anvil } from '@reown/appkit/networks'
import { createAppKit } from '@reown/appkit/react'
import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { offerWagmi, show } from './wagmi-client.tsx'

createAppKit({
  adapters: [adapter],
  networks: [anvil],
  projectId: '0'.repeat(32),
  features: { analytics: false, email: false, socials: false, swaps: false, onramp: false },
})
const library = { ...wagmi, ...actions }
offerWagmi(library, adapter.wagmiConfig, {}, 'latchkey')
show(library, adapter.wagmiConfig, (content) => (
  <>
    <appkit-button />
    {content}
  </>
))
