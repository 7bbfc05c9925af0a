import * as wagmi from 'wagmi'
import * as actions from 'wagmi/actions'
import { createWagmiConfig, offerWagmi, show } from './wagmi-client.tsx'

const config = createWagmiConfig(wagmi)
offerWagmi({ ...wagmi, ...actions }, config)
show({ ...wagmi, ...actions }, config, (content) => content)
