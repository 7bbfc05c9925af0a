import { pushOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { MethodInProgress, StartedMethod } from '../../contract/login.ts'
import type { ChooseWallet } from './connection/choose-wallet.ts'
import { installScreen, walletRow } from './screens.ts'
import { keepOrder, type OfferedWallet, rowKeys } from './sources/offered-wallets.ts'
import type { WalletSources } from './sources/sources.ts'

/** Creates a row for each wallet. Without wallets, a row leads to a guide to get one. */
export function walletRows(
  services: DialogServices,
  sources: WalletSources,
  { card, entry }: Pick<MethodInProgress, 'card' | 'entry'>,
  choose: ChooseWallet,
): Required<Pick<StartedMethod, 'entry' | 'rows'>> {
  let shown: readonly OfferedWallet[] = []
  const showGuide = () => void pushOnCard(services, card, installScreen, { wallet: undefined })
  return {
    entry: () => entry(walletRow, { wallet: undefined, isLastUsed: false }, { choose: showGuide }),
    rows() {
      shown = keepOrder(shown, sources.offered())
      const keys = rowKeys(shown)
      return shown.map((wallet, position) => ({
        ...entry(
          walletRow,
          { wallet, isLastUsed: wallet.key === sources.lastUsed() },
          { choose: () => choose(wallet) },
        ),
        key: keys[position] ?? wallet.key,
      }))
    },
  }
}
