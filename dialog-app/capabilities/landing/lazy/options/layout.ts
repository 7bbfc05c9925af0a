/** Computes the position of each login method on LANDING and in its overflow views. Renders nothing. */
import { type LoginMethod, screenLimits } from '@latchkey/protocol'
import type { OfferedMethod } from '../../../../contract/login.ts'

export type Overflow = 'more' | 'web2-overflow' | 'web3-overflow'
export type Opener = 'moreOptions' | 'otherSocials' | 'aWallet' | 'otherWallets'

export type Item =
  | { kind: 'method'; method: LoginMethod }
  /** A wallet of the wallet method, by its index. */
  | { kind: 'wallet'; position: number }
  | { kind: 'opener'; opens: Overflow; says: Opener }

export type Layout = { [view in 'default' | Overflow]: readonly Item[] }

export type Wishes = {
  /** The methods that the host wants first, or undefined without a host order. */
  primary: readonly string[] | undefined
  groupPriority: 'web2-first' | 'web3-first'
  /** The method that this browser used last. It comes first among those shown, unless the host ordered them. */
  lastUsed?: string | null
  /** The number of wallets to choose from. A wallet method without wallets has its own entry. */
  wallets: number
}

/** The properties of a method that determine its position. */
export type Placed = Pick<OfferedMethod, 'method' | 'shows'>

export const layOut = (wishes: Wishes, offered: readonly Placed[]): Layout =>
  wishes.primary ? byOrder(wishes.primary, wishes.wallets, offered) : byGroups(wishes, offered)

function byOrder(wanted: readonly string[], wallets: number, offered: readonly Placed[]): Layout {
  const isPrimary = ({ method }: Placed) => wanted.includes(method)
  const primary = offered.filter(isPrimary)
  const rest = offered.filter((each) => !isPrimary(each))
  const { primaryOptionsMax, primaryOptionsWithOverflow } = screenLimits
  const fits =
    primary.length < primaryOptionsMax || (primary.length === primaryOptionsMax && rest.length === 0)
  const visible = fits ? primary : primary.slice(0, primaryOptionsWithOverflow)
  const more = [...primary.slice(visible.length), ...rest]

  const item = (each: Placed): Item =>
    each.shows === 'wallets' && wallets > 0 ? opener('web3-overflow', 'aWallet') : method(each)
  return {
    default: [...visible.map(item), ...openerIf(more.length > 0, 'more', 'moreOptions')],
    more: more.map(item),
    'web2-overflow': [],
    'web3-overflow': offered.some(({ shows }) => shows === 'wallets') ? walletItems(0, wallets) : [],
  }
}

function byGroups({ groupPriority, wallets, lastUsed }: Wishes, offered: readonly Placed[]): Layout {
  const { web2EntriesMax, web2EntriesShown, web3WalletsMax, web3WalletsShown } = screenLimits
  const that = (shows: Placed['shows']) => offered.filter((each) => each.shows === shows)
  const [fields, socials] = [that('field'), that('row')]
  const allFit = fields.length + socials.length <= web2EntriesMax
  const socialsShown = allFit ? socials.length : Math.max(0, web2EntriesShown - fields.length)
  const web2 = [
    ...[...fields, ...socials.slice(0, socialsShown)].map(method),
    ...openerIf(!allFit, 'web2-overflow', 'otherSocials'),
  ]

  const isWeb3First = groupPriority === 'web3-first'
  const walletCount = that('wallets').length > 0 ? wallets : 0
  const walletsShown = !isWeb3First ? 0 : walletCount > web3WalletsMax ? web3WalletsShown : walletCount
  const web3 = [
    ...(walletCount > 0 ? walletItems(0, walletsShown) : that('wallets').map(method)),
    ...openerIf(walletsShown < walletCount, 'web3-overflow', isWeb3First ? 'otherWallets' : 'aWallet'),
  ]

  const visible = [...(isWeb3First ? [...web3, ...web2] : [...web2, ...web3]), ...that('link').map(method)]
  const isLastUsed = (item: Item) => item.kind === 'method' && item.method === lastUsed
  return {
    default: [...visible.filter(isLastUsed), ...visible.filter((item) => !isLastUsed(item))],
    more: [],
    'web2-overflow': socials.slice(socialsShown).map(method),
    'web3-overflow': walletItems(walletsShown, walletCount),
  }
}

const method = ({ method }: Placed): Item => ({ kind: 'method', method })
const opener = (opens: Overflow, says: Opener): Item => ({ kind: 'opener', opens, says })
const openerIf = (isNeeded: boolean, opens: Overflow, says: Opener): readonly Item[] =>
  isNeeded ? [opener(opens, says)] : []
const walletItems = (from: number, to: number): readonly Item[] =>
  Array.from({ length: to - from }, (_, position) => ({ kind: 'wallet', position: from + position }))

/** Returns whether a view shows a method, directly or behind one of its buttons. */
export const holds = (layout: Layout, view: keyof Layout, { method, shows }: Placed): boolean =>
  layout[view].some((item) => {
    switch (item.kind) {
      case 'method':
        return item.method === method
      case 'wallet':
        return shows === 'wallets'
      case 'opener':
        return holds(layout, item.opens, { method, shows })
      default:
        return item satisfies never
    }
  })
