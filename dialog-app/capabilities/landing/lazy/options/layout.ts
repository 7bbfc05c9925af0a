/** Where each login method stands on LANDING: the rules of the specification, and nothing of how it is drawn. */
import { type LoginMethod, screenLimits } from '@latchkey/protocol'
import type { OfferedMethod } from '../../../../contract/login.ts'

export type Overflow = 'more' | 'web2-overflow' | 'web3-overflow'
export type Opener = 'moreOptions' | 'otherSocials' | 'aWallet' | 'otherWallets'

export type Item =
  | { kind: 'method'; method: LoginMethod }
  /** One of the wallets that the method brings, by its place among them. */
  | { kind: 'wallet'; position: number }
  | { kind: 'opener'; opens: Overflow; says: Opener }

export type Layout = { [view in 'default' | Overflow]: readonly Item[] }

export type Wishes = {
  /** The methods that the host wants first; undefined where it did not order them. */
  primary: readonly string[] | undefined
  groupPriority: 'web2-first' | 'web3-first'
  /** The method that this browser used last. It comes first among those shown, unless the host ordered them. */
  lastUsed?: string | null
  /** How many wallets stand to choose from. A wallet method that brings none has an entry of its own. */
  wallets: number
}

/** What of a method decides where it stands. */
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
  const shown = fits ? primary : primary.slice(0, primaryOptionsWithOverflow)
  const more = [...primary.slice(shown.length), ...rest]

  const item = (each: Placed): Item =>
    each.shows === 'wallets' && wallets > 0 ? opener('web3-overflow', 'aWallet') : method(each)
  return {
    default: [...shown.map(item), ...openerIf(more.length > 0, 'more', 'moreOptions')],
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
  const brought = that('wallets').length > 0 ? wallets : 0
  const walletsShown = !isWeb3First ? 0 : brought > web3WalletsMax ? web3WalletsShown : brought
  const web3 = [
    ...(brought > 0 ? walletItems(0, walletsShown) : that('wallets').map(method)),
    ...openerIf(walletsShown < brought, 'web3-overflow', isWeb3First ? 'otherWallets' : 'aWallet'),
  ]

  const shown = [...(isWeb3First ? [...web3, ...web2] : [...web2, ...web3]), ...that('link').map(method)]
  const isLastUsed = (item: Item) => item.kind === 'method' && item.method === lastUsed
  return {
    default: [...shown.filter(isLastUsed), ...shown.filter((item) => !isLastUsed(item))],
    more: [],
    'web2-overflow': socials.slice(socialsShown).map(method),
    'web3-overflow': walletItems(walletsShown, brought),
  }
}

const method = ({ method }: Placed): Item => ({ kind: 'method', method })
const opener = (opens: Overflow, says: Opener): Item => ({ kind: 'opener', opens, says })
const openerIf = (isNeeded: boolean, opens: Overflow, says: Opener): readonly Item[] =>
  isNeeded ? [opener(opens, says)] : []
const walletItems = (from: number, to: number): readonly Item[] =>
  Array.from({ length: to - from }, (_, position) => ({ kind: 'wallet', position: from + position }))

/** Whether a method stands in a view, or behind a button of it. */
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
