/** The connector as a host's editor shows it, with wagmi 3. Only type-checked; nothing runs. */
import { createConfig, http } from 'wagmi'
import { connect } from 'wagmi/actions'
import { mainnet } from 'wagmi/chains'
import { createLatchkey, type EthereumProvider } from '../start/index.ts'
import { type LatchkeyConnector, latchkeyConnector, latchkeyWallet } from './wagmi.ts'

const options = { appId: 'a', dialogUrl: 'b' }
const chains = [mainnet] as const
const config = createConfig({ chains, connectors: [latchkeyConnector(options)], transports: { 1: http() } })
connect(config, { connector: latchkeyConnector(options), chainId: 1 })

type Connector = ReturnType<LatchkeyConnector>
export const provider = (connector: Connector): Promise<EthereumProvider> => connector.getProvider()

latchkeyConnector({ latchkey: createLatchkey(options), preload: 'never', name: 'My app', icon: 'data:,' })
createConfig({
  chains,
  connectors: [latchkeyWallet(options)().createConnector({})],
  transports: { 1: http() },
})
// @ts-expect-error neither an app nor a handle
latchkeyConnector({ name: 'My app' })
// @ts-expect-error unknown option
latchkeyConnector({ ...options, colour: 'red' })
