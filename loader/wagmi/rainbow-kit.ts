/** The connector as a custom wallet of RainbowKit: https://rainbowkit.com/docs/custom-wallets */
import { productName, providerRdns } from '@latchkey/protocol'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { defaultIcon } from '../lazy/provider/icon.ts'
import { connectorId, type LatchkeyConnectorOptions, latchkeyConnector } from './connector.ts'

/** A RainbowKit wallet. The kit's own types are not imported, because pages without the kit lack them. */
export type RainbowKitWallet = {
  id: string
  name: string
  iconUrl: string
  iconBackground: string
  rdns: string
  installed: true
  /** RainbowKit stores its details of the wallet on the connector. */
  createConnector: (details: object) => CreateConnectorFn
}
export type LatchkeyWalletOptions = LatchkeyConnectorOptions & {
  /** A CSS color behind the icon. */
  iconBackground?: string
}

/** Creates a wallet for the list of `connectorsForWallets()`. */
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
