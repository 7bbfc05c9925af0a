import { type Capability, port } from '../capability.ts'
import { chains as key } from './chains.ts'
import { chainEnvironment } from './environment.ts'
import { createRpcChains } from './rpc-chains.ts'

export const chains: Capability = {
  name: 'chains',
  environment: chainEnvironment,
  ports: [
    port(key, ({ config }) => ({ value: createRpcChains(chainEnvironment.of(config).CHAIN_RPC_URLS) })),
  ],
}
