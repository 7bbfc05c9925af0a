/** The wallets to choose from, in their order, and how each connects. */
import type { HostWallet } from '@latchkey/protocol/host'
import { type NamedWallet, namedWallet, namedWalletNames } from './named-wallets.ts'

/** The appearance of a wallet in a list. */
export type WalletFace = {
  /** The wallet's name in host settings, if it has one. Also selects its mark. */
  key: string
  name: string
  /** An extension brings its own icon. */
  icon?: string
}

export type OfferedWallet = WalletFace & {
  way: /** An extension in the host page. */
    | { type: 'page'; id: string; isSolana?: true }
    /** A wallet reached through a relay. Undefined for WalletConnect itself, which reaches any wallet. */
    | { type: 'relay'; wallet: NamedWallet | undefined }
    /** The extension is not installed. */
    | { type: 'install'; wallet: NamedWallet }
    /** The page must be opened in the wallet's own browser on this phone. */
    | { type: 'phone'; wallet: NamedWallet }
}

export type Surroundings = {
  /** `appearance.walletList` of the host. */
  list: readonly string[] | undefined
  found: readonly HostWallet[]
  solana?: HostWallet[]
  isPhone: boolean
  hasRelay: boolean
  /** The found wallets with these ids or keys stand before the others, such as the one that this browser used last. */
  first: readonly string[]
}

const detected = 'detected_wallets'
const relay = 'wallet_connect'

/** Returns the found wallets, then those that the host names, then WalletConnect. */
export function offerWallets(around: Surroundings): readonly OfferedWallet[] {
  const rank = ({ key, way }: OfferedWallet) => {
    const at = around.first.findIndex((name) => name === key || (way.type === 'page' && name === way.id))
    return at < 0 ? around.first.length : at
  }
  const list = [...new Set(around.list ?? [detected, ...namedWalletNames, relay])]
  const pageWallets = [...around.found.map(foundWallet), ...toSolanaWallets(around)]
    .filter(({ key }) => list.includes(key) || list.includes(detected))
    .toSorted((one, other) => rank(one) - rank(other))
  const listedWallets = list.flatMap((key): readonly OfferedWallet[] => {
    const wallet = namedWallet(key)
    if (!wallet || pageWallets.some((other) => other.key === key)) return []
    const way = wayTo(wallet, around)
    return way ? [{ key, name: wallet.name, way }] : []
  })
  return [...pageWallets, ...listedWallets, ...(around.hasRelay && list.includes(relay) ? [anyAtRelay] : [])]
}

/** WalletConnect, which reaches any wallet of the user. */
export const anyAtRelay: OfferedWallet = {
  key: relay,
  name: 'WalletConnect',
  way: { type: 'relay', wallet: undefined },
}

/** Uses the name of the extension for wallets that hosts cannot name. */
function foundWallet({ id, name, rdns, icon }: HostWallet): OfferedWallet {
  const key = namedWalletNames.find((named) => rdns && namedWallet(named)?.rdns.includes(rdns))
  return { key: key ?? rdns ?? id, name, ...(icon && { icon }), way: { type: 'page', id } }
}

/** Names the chain of a wallet that the page has for Ethereum too. */
const toSolanaWallets = ({ found, solana = [] }: Surroundings): OfferedWallet[] =>
  solana.map(({ id, name, icon }) => ({
    key: namedWalletNames.find((named) => namedWallet(named)?.name === name) ?? name.toLowerCase(),
    name: found.some((other) => other.name === name) ? `${name} (Solana)` : name,
    ...(icon && { icon }),
    way: { type: 'page', id, isSolana: true },
  }))

/** Returns undefined for a wallet that is unreachable from here. */
function wayTo(wallet: NamedWallet, { isPhone, hasRelay }: Surroundings): OfferedWallet['way'] | undefined {
  if (hasRelay && wallet.relay) return { type: 'relay', wallet }
  if (!isPhone) return { type: 'install', wallet }
  return wallet.openPage ? { type: 'phone', wallet } : undefined
}

/** Sorts the wallets so that those of the shown list keep their order, and all others follow. */
export function keepOrder(
  shown: readonly OfferedWallet[],
  offered: readonly OfferedWallet[],
): readonly OfferedWallet[] {
  const place = ({ key }: OfferedWallet) => {
    const at = shown.findIndex((each) => each.key === key)
    return at < 0 ? shown.length : at
  }
  return offered.toSorted((one, other) => place(one) - place(other))
}

/** Returns a unique key for each wallet. Two extensions may have the same key. */
export const rowKeys = (wallets: readonly WalletFace[]): readonly string[] =>
  wallets.map(({ key }, position) =>
    wallets.findIndex((each) => each.key === key) === position ? key : `${key} ${position}`,
  )
