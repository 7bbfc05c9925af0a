import * as wagmi from 'wagmi3'
import * as actions from 'wagmi3/actions'
import { createWagmiConfig, offerWagmi, show } from './wagmi-client.tsx'

// The types of the versions differ, but the parts used here are the same.
const library = { ...wagmi, ...actions } as never
const config = createWagmiConfig(library)
offerWagmi(library, config)
show(library, config, (content) => content)
