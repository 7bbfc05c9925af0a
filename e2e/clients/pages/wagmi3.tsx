import * as wagmi from 'wagmi3'
import * as actions from 'wagmi3/actions'
import { createWagmiConfig, offerWagmi, show } from './wagmi-client.tsx'

// The versions name their types apart; what is used here is the same in both.
const library = { ...wagmi, ...actions } as never
const config = createWagmiConfig(library)
offerWagmi(library, config)
show(library, config, (content) => content)
