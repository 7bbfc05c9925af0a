import { product } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import { pageOf } from '../../contract/page.ts'
import type { OpenConnector } from './sources/connector.ts'
import type { Device } from './sources/sources.ts'

/** Tests replace the device and the relay. */
export const siweOn = (device?: Device, relay?: OpenConnector) =>
  defineCapability({
    name: 'siwe',
    screens: async () => (await import('./screens.ts')).screens,
    comes: 'with its setting',
    loadedFor: 'visitors',
    bring(ports) {
      const wallets = loadable(async () =>
        (await import('./wallets.ts')).createWallets({ ...ports, page: pageOf(ports) }, device, relay),
      )
      return {
        load: async () => (await wallets.load()).look(),
        async resume(parameters) {
          const { connector, walletClient } = product.query
          const [by, wallet] = [parameters.get(connector), parameters.get(walletClient)]
          if (!by || !wallet) return
          await (await ports.load(wallets.load)).resume({ connector: by, walletClient: wallet })
        },
        payFromWallet: async (card, payment) => (await ports.load(wallets.load)).pay(card, payment),
        hostCalls: {
          names: ['connectWallet', 'connectedWalletRequest', 'disconnectWallet'],
          load: async () => (await wallets.load()).served,
        },
        login: [
          {
            method: 'wallet',
            appSetting: 'walletAuth',
            shows: 'wallets',
            load: async () => (await wallets.load()).method,
          },
        ],
      }
    },
  })

export const siwe = siweOn()
