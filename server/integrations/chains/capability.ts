import { type Capability, port } from '../../kernel/capability.ts'
import { isLocal } from '../../kernel/config.ts'
import type { App } from '../../kernel/ports.ts'
import { chains as key } from './chains.ts'
import { chainEnvironment } from './environment.ts'
import { assertChainId, createRpcChains } from './rpc-chains.ts'

/** Returns the RPC origins that the dialog of an app connects to. */
const rpcSources = ({ config }: App) => ({
  connect: [
    ...new Set(
      [config.rpcUrls, config.solanaRpcUrls]
        .flatMap((urls) => Object.values(urls).flat())
        .map((url) => new URL(url).origin),
    ),
  ],
})

export const chains: Capability = {
  name: 'chains',
  settings: ['rpcUrls', 'solanaRpcUrls', 'chains', 'testNetworks'],
  sources: rpcSources,
  environment: chainEnvironment,
  thirdParties: (config) =>
    [...chainEnvironment.read(config).CHAIN_RPC_URLS].map(([chainId, url]) => ({
      variable: 'CHAIN_RPC_URLS',
      url,
      check: (signal) => assertChainId({ chainId, url }, signal, { standsIn: isLocal(config) }),
    })),
  ports: [
    port(key, ({ config }) => ({ value: createRpcChains(chainEnvironment.read(config).CHAIN_RPC_URLS) })),
  ],
}
