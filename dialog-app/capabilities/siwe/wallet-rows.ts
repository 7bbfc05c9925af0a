import type { MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { installScreen, walletRow } from './screens.ts'
import type { OfferedWallet } from './sources/offered-wallets.ts'
import type { WalletSources } from './sources/sources.ts'

/** A row for each wallet that stands to choose from now; where there is none, one that says how to get one. */
export function walletRows(
  sources: WalletSources,
  { card, entry }: Pick<MethodInProgress, 'card' | 'entry'>,
  choose: (wallet: OfferedWallet) => void,
): Required<Pick<StartedMethod, 'entry' | 'rows'>> {
  /** Two extensions may call themselves the same; the second is known by its place, too. */
  const row = (wallet: OfferedWallet, position: number, all: readonly OfferedWallet[]) => ({
    ...entry(
      walletRow,
      { wallet, isLastUsed: wallet.key === sources.lastUsed() },
      { choose: () => choose(wallet) },
    ),
    key:
      all.findIndex(({ key }) => key === wallet.key) === position ? wallet.key : `${wallet.key} ${position}`,
  })
  let shownKeys: readonly string[] = []
  /** A row stays where it was shown: what is found later stands after it, so that nothing moves under a finger. */
  function inShownOrder(offered: readonly OfferedWallet[]): readonly OfferedWallet[] {
    const place = ({ key }: OfferedWallet) => {
      const at = shownKeys.indexOf(key)
      return at < 0 ? shownKeys.length : at
    }
    const ordered = offered.toSorted((one, other) => place(one) - place(other))
    shownKeys = ordered.map(({ key }) => key)
    return ordered
  }
  const showGuide = () => card.go(screen(installScreen, { wallet: undefined }, {}))
  return {
    entry: () => entry(walletRow, { wallet: undefined, isLastUsed: false }, { choose: showGuide }),
    rows: () => inShownOrder(sources.offered()).map(row),
  }
}
