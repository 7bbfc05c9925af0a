/** The connector in the form in which RainbowKit takes wallets: https://rainbowkit.com/docs/custom-wallets */
import { productName, providerRdns } from '@latchkey/protocol'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { defaultIcon } from '../lazy/provider/icon.ts'
import { connectorId, type LatchkeyConnectorOptions, latchkeyConnector } from './connector.ts'

/** A wallet as RainbowKit has it. Its types are not asked for: a page without the kit has none. */
export type RainbowKitWallet = {
  id: string
  name: string
  iconUrl: string
  iconBackground: string
  rdns: string
  installed: true
  /** RainbowKit finds what it says of a wallet on the connector. */
  createConnector: (details: object) => CreateConnectorFn
}
export type LatchkeyWalletOptions = LatchkeyConnectorOptions & {
  /** As CSS has colours, behind the icon. */
  iconBackground?: string
}

/** For the list of `connectorsForWallets()`, which calls what this gives. */
export const latchkeyWallet = (options: LatchkeyWalletOptions) => (): RainbowKitWallet => ({
  id: connectorId,
  name: options.name ?? productName,
  iconUrl: options.icon ?? defaultIcon,
  iconBackground: options.iconBackground ?? '#1f2937',
  rdns: providerRdns,
  installed: true,
  createConnector: (details) => {
    const connector = latchkeyConnector(options)
    return createConnector((config) => ({ ...connector(config as never), ...details }))
  },
})
