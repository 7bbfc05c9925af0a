/** Opens the screen of a chosen wallet: its connection, its installation, or its app on this phone. */
import type { LazyScreen } from '../../../app/screen.ts'
import { pushOnCard } from '../../../app/screen-stack.ts'
import type { DialogServices } from '../../../app/services.ts'
import { loadable } from '../../../browser/loadable.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { installScreen, phoneScreen } from '../screens.ts'
import type { OfferedWallet } from '../sources/offered-wallets.ts'
import type { WalletSources } from '../sources/sources.ts'
import type { ConnectionOptions, ConnectionProps } from './use-wallet-connection.ts'

/** Loads the checksums of addresses too, which are first needed for a chosen wallet. */
export const messageCode = loadable(() => import('../lazy/sign-in-message.ts'))

/** Rows for LANDING, which load with React. */
export const rowsCode = loadable(() => import('../wallet-rows.tsx'))

export type ChooseWallet = (wallet: OfferedWallet) => void

type ChoiceOptions = ConnectionOptions & {
  card: CardHandle
  screen: LazyScreen<ConnectionProps>
  onChosen: () => void
}

/** Creates a choice of one wallet at a time: the next choice abandons the wallet before. */
export function createWalletChoice(
  services: DialogServices,
  sources: WalletSources,
  { card, screen, onChosen, ...options }: ChoiceOptions,
): ChooseWallet {
  let abandon = () => {}
  card.signal.addEventListener('abort', () => abandon())

  return (wallet) => {
    abandon()
    abandon = () => {}
    const { way } = wallet
    switch (way.type) {
      case 'install':
        return void pushOnCard(services, card, installScreen, { wallet: way.wallet })
      case 'phone':
        return void pushOnCard(services, card, phoneScreen, {
          wallet,
          open: way.wallet.openPage?.(sources.pageToReturnTo(wallet.key)),
          store: sources.phone === 'ios' ? way.wallet.ios : way.wallet.android,
        })
      case 'page':
      case 'relay': {
        onChosen()
        const choice = new AbortController()
        const connector = loadable(() => sources.open(wallet))
        // Loads in parallel to the screen, which reports errors.
        connector.load().catch(() => {})
        abandon = () => {
          choice.abort()
          const loadedConnector = connector.loaded()
          // Held connections stay open, because the page still uses them.
          if (loadedConnector && !sources.held.has(loadedConnector))
            loadedConnector.disconnect?.().catch(() => {})
        }
        return void pushOnCard(services, card, screen, {
          ...options,
          wallet,
          connector,
          sources,
          signal: choice.signal,
        })
      }
      default:
        return way satisfies never
    }
  }
}
