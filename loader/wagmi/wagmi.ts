/** wagmi 2 and 3: a connector, and the same for RainbowKit. */
export { type LatchkeyConnector, type LatchkeyConnectorOptions, latchkeyConnector } from './connector.ts'
export { type LatchkeyWalletOptions, latchkeyWallet, type RainbowKitWallet } from './rainbow-kit.ts'
