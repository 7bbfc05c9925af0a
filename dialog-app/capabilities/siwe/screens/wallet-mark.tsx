import { RowIcon } from '../../../ui/lazy/row-icon.tsx'
import {
  coinbaseWallet,
  cryptocom,
  metamask,
  okxWallet,
  phantom,
  rabbyWallet,
  rainbow,
  uniswap,
  walletConnect,
  zerion,
} from '../../../ui/marks/brands/wallets.ts'
import { Mark, type MarkDrawing } from '../../../ui/marks/mark.tsx'
import type { NamedWalletKey } from '../sources/named-wallets.ts'
import type { WalletFace } from '../sources/offered-wallets.ts'
import styles from './wallet-mark.module.css'

const drawings: Readonly<Record<NamedWalletKey | 'wallet_connect', MarkDrawing>> = {
  metamask,
  coinbase_wallet: coinbaseWallet,
  rainbow,
  phantom,
  zerion,
  cryptocom,
  uniswap,
  okx_wallet: okxWallet,
  rabby_wallet: rabbyWallet,
  wallet_connect: walletConnect,
}
const drawn: ReadonlyMap<string, MarkDrawing> = new Map(Object.entries(drawings))

type WalletMarkProps = { wallet: WalletFace; size?: number }

/** The icon of the wallet, or our mark for a named wallet. Decorative, because the name is always next to it. */
export function WalletMark({ wallet: { key, icon }, size = 20 }: WalletMarkProps) {
  const drawing = drawn.get(key)
  if (icon) return <img className={styles.icon} src={icon} alt="" width={size} height={size} />
  return drawing ? <Mark drawing={drawing} size={size} /> : <RowIcon name="wallet" size={size} />
}
