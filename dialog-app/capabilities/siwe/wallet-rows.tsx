import { useDialog } from '../../app/context.ts'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { StartedMethod } from '../../contract/login.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { showElement } from '../../flow/screen.ts'
import type { ChooseWallet } from './connection/choose-wallet.ts'
import { WalletRow, type WalletRowProps } from './screens/wallet-row.tsx'
import { installScreen } from './screens.ts'
import { keepOrder, type OfferedWallet, rowKeys } from './sources/offered-wallets.ts'
import type { WalletSources } from './sources/sources.ts'
import { texts } from './texts.arb'

/** Creates a row for each wallet. Without wallets, a row leads to a guide to get one. */
export function walletRows(
  services: DialogServices,
  sources: WalletSources,
  card: CardHandle,
  choose: ChooseWallet,
  offered = sources.offered,
): Required<Pick<StartedMethod, 'entry' | 'rows'>> {
  let orderedWallets: readonly OfferedWallet[] = []
  const showGuide = () => void pushOnCard(services, card, installScreen, { wallet: undefined })
  return {
    entry: showElement(<EntryRow wallet={undefined} isLastUsed={false} onChoose={showGuide} />, texts),
    rows() {
      orderedWallets = keepOrder(orderedWallets, offered())
      const keys = rowKeys(orderedWallets)
      const lastUsed = sources.lastUsed()
      return orderedWallets.map((wallet, position) => ({
        ...showElement(
          <EntryRow wallet={wallet} isLastUsed={wallet.key === lastUsed} onChoose={() => choose(wallet)} />,
          texts,
        ),
        key: keys[position] ?? wallet.key,
      }))
    },
  }
}

/** A row on a screen of another capability, which may be covered already. */
function EntryRow({ onChoose, ...row }: WalletRowProps) {
  const { isInFront } = useDialog()
  return <WalletRow {...row} onChoose={() => isInFront() && onChoose()} />
}
