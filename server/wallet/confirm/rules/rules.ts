/**
 * Where a request may be approved, by what it is. What it is worth, and how much of the day is left, is asked for where
 * that decides.
 */
import { isSignInFor } from '@latchkey/protocol/reading'
import type { ConfirmationPlace, ConfirmationReason } from '@latchkey/protocol/wallet'
import { isPermit, refusedCall } from '../../../identity/apps/apps.ts'
import type { App } from '../../../kernel/ports.ts'
import type { Reading } from '../reading/reading.ts'
import { type BudgetOfApp, budgetOfCall, budgetOfTypedData, type NamedBudget } from './budgets.ts'

export type Verdict = { place: ConfirmationPlace; reason: ConfirmationReason }

/** An amount of the coin of a chain, or of a token on it. */
export type Amount = { chainId: string; token?: string; amount: bigint }

/** A request is approved on the page, or somewhere else within the budgets that it counts against. */
export type Judged =
  | ({ type: 'settled' } & Verdict)
  | ({
      type: 'within'
      /** What it moves and costs; nothing where that is worth nothing. */
      worth: readonly Amount[]
      budgets: readonly string[]
    } & Verdict)

type Rules = Pick<App, 'config' | 'approvals' | 'allowedOrigins'>
type Message = Extract<Reading, { kind: 'message' }>
type Typed = Extract<Reading, { kind: 'typed_data' }>
type Transaction = Extract<Reading, { kind: 'transaction' }>

const settled = (place: ConfirmationPlace, reason: ConfirmationReason): Judged => ({
  type: 'settled',
  place,
  reason,
})
const within = (
  place: ConfirmationPlace,
  reason: ConfirmationReason,
  budgets: readonly (BudgetOfApp | NamedBudget)[],
  worth: readonly Amount[] = [],
): Judged => ({
  type: 'within',
  place,
  reason,
  worth,
  budgets: budgets.map((budget) => (typeof budget === 'string' ? budget : budget.name)),
})

/** Judges for a card whose browser tells what covers it. */
export function judge(reading: Reading, app: Rules): Judged {
  switch (reading.kind) {
    case 'message':
      if (!reading.isText) return settled('page', 'not_understood')
      if (!isOfApp(reading, app)) return settled('page', 'sign_in_elsewhere')
      return within('frame', 'plain_message', ['messages'])
    // Once, and for good: a person who is asked for one sees where they are.
    case 'account':
      return settled('page', 'account_action')
    case 'typed_data':
      return judgeTypedData(reading, app)
    case 'transaction':
      return judgeTransaction(reading, app)
    default:
      return reading satisfies never
  }
}

/** A message that logs its signer in somewhere does so at a site of the app. */
const isOfApp = ({ signInDomains }: Message, { allowedOrigins }: Rules): boolean =>
  signInDomains.every((domain) => isSignInFor(domain, allowedOrigins))

/** A chain id in typed data proves nothing: whoever verifies it may look at another chain, or at none. */
function judgeTypedData(reading: Typed, { approvals }: Rules): Judged {
  if (isPermit(reading.structs, reading.contract)) return settled('page', 'allowance_or_permit')
  const listed = budgetOfTypedData(approvals, 'card', reading)
  return listed ? within('frame', 'within_limits', [listed]) : settled('page', 'not_understood')
}

function judgeTransaction(reading: Transaction, app: Rules): Judged {
  if (isWorthless(reading, app)) return settled('frame', 'test_network')
  const call = callOf(reading)
  const listed = call.is !== 'creation' && budgetOfCall(app.approvals, 'card', { ...reading, ...call })
  if (listed) {
    // How often says nothing of what each costs.
    const budgets = listed.limit.unit === 'times' ? (['allowance', listed] as const) : [listed]
    return within('frame', 'within_limits', budgets, [spentBy(reading)])
  }
  switch (call.is) {
    case 'coin':
      return within('frame', 'within_allowance', ['allowance'], [spentBy(reading)])
    case 'transfer':
      return within('frame', 'within_allowance', ['allowance'], [spentBy(reading), call.moved])
    case 'token':
      return settled('page', 'no_price')
    case 'right':
      return settled('page', 'allowance_or_permit')
    case 'creation':
    case 'other':
      return settled('page', 'not_understood')
    default:
      return call satisfies never
  }
}

/**
 * Judges for a card whose browser cannot tell: it may approve plain messages, and the coin of a chain within a limit
 * of its own.
 */
export function judgeUnseen(reading: Reading, app: Rules): Judged {
  const shown = judge(reading, app)
  if (shown.place === 'page') return shown
  const isCoin = reading.kind === 'transaction' && callOf(reading).is === 'coin'
  if (shown.reason === 'plain_message' || (isCoin && shown.reason === 'test_network')) {
    return { ...shown, place: 'unseen' }
  }
  if (isCoin && shown.reason === 'within_allowance')
    return within('unseen', 'within_allowance', ['allowance', 'unseen'], [spentBy(reading)])
  return settled('page', 'browser')
}

/** The same where nobody is to be asked; undefined where somebody has to be. `method`: as it was asked for. */
export function judgeSilent(reading: Reading, app: Rules, method: string): Judged | undefined {
  const { config, approvals } = app
  if (config.enforceWalletUis || approvals.noPrompt === null) return undefined
  switch (reading.kind) {
    case 'message': {
      const isPlain = reading.isText && isOfApp(reading, app)
      const isNamed = approvals.noPrompt.messages && method === 'personal_sign' && isPlain
      return isNamed ? within('silent', 'within_limits', ['messages', 'silent-messages']) : undefined
    }
    case 'account':
      return undefined
    case 'typed_data': {
      const listed = budgetOfTypedData(approvals, 'silent', reading)
      const isNamed = listed && !isPermit(reading.structs, reading.contract)
      return isNamed ? within('silent', 'within_limits', [listed]) : undefined
    }
    case 'transaction': {
      const call = callOf(reading)
      const listed = call.is !== 'creation' && budgetOfCall(approvals, 'silent', { ...reading, ...call })
      if (!listed) return undefined
      const worth = isWorthless(reading, app) ? [] : [spentBy(reading)]
      return within('silent', 'within_limits', ['silent-calls', listed], worth)
    }
    default:
      return reading satisfies never
  }
}

const spentBy = ({ chainId, value, mostFee }: Transaction): Amount => ({ chainId, amount: value + mostFee })

export const isWorthless = ({ chainId }: Transaction, { config }: Pick<Rules, 'config'>) =>
  config.testNetworks.some((test) => String(test) === chainId)

type Call =
  | { is: 'creation' }
  | ({ to: string; selector: string } & (
      | { is: 'coin' | 'token' | 'right' | 'other' }
      | { is: 'transfer'; moved: Amount }
    ))

const transferSelector = '0xa9059cbb'
const SELECTOR_LENGTH = 2 + 2 * 4
/** `transfer(address,uint256)` to the letter: what stands beside its two words may mean something to the contract. */
const tokenTransfer = /^0xa9059cbb0{24}[0-9a-f]{40}([0-9a-f]{64})$/

const kinds = { right: 'right', tokens: 'token', calls: 'other' } as const

function callOf({ to, data, chainId }: Transaction): Call {
  if (to === undefined) return { is: 'creation' }
  if (data === '0x') return { is: 'coin', to, selector: data }
  const selector = data.slice(0, SELECTOR_LENGTH)
  const amount = tokenTransfer.exec(data)?.[1]
  if (amount !== undefined) {
    return { is: 'transfer', to, selector, moved: { chainId, token: to, amount: BigInt(`0x${amount}`) } }
  }
  if (selector === transferSelector) return { is: 'token', to, selector }
  return { is: kinds[refusedCall(selector)?.carries ?? 'calls'], to, selector }
}
