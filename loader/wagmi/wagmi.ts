/** The connector for wagmi 2 and 3, and a RainbowKit wallet. */
export { type LatchkeyConnector, type LatchkeyConnectorOptions, latchkeyConnector } from './connector.ts'
export { type LatchkeyWalletOptions, latchkeyWallet, type RainbowKitWallet } from './rainbow-kit.ts'
