/**
 * Decides the approval surface from the type of a request. The caller checks its value against the budgets.
 */
import { isSignInFor } from '@latchkey/protocol/reading'
import type { ConfirmationPlace, ConfirmationReason } from '@latchkey/protocol/wallet'
import { findRefusedCall, isPermit } from '../../../identity/apps/apps.ts'
import { solanaChain } from '../../../integrations/prices/prices.ts'
import type { App } from '../../../kernel/ports.ts'
import type { Call, Reading } from '../reading/reading.ts'
import { type AppBudget, findCallBudget, findTypedDataBudget, type NamedBudget } from './budgets.ts'

export type Verdict = { place: ConfirmationPlace; reason: ConfirmationReason }

/** An amount of a chain's native coin, or of a token. */
export type Amount = { chainId: string; token?: string; amount: bigint }

/** The decision: `settled` is final, `within` holds only while the request fits its budgets. */
export type Evaluation =
  | ({ type: 'settled' } & Verdict)
  | ({
      type: 'within'
      /** The amounts moved plus the fee. Empty if they are worth nothing. */
      worth: readonly Amount[]
      budgets: readonly string[]
    } & Verdict)

type Rules = Pick<App, 'config' | 'approvals' | 'allowedOrigins'>
type Message = Extract<Reading, { kind: 'message' }>
type Typed = Extract<Reading, { kind: 'typed_data' }>
type SolanaTransaction = Extract<Reading, { kind: 'solana_transaction' }>
type Delegation = Extract<Reading, { kind: 'delegation' }>
type Operation = Extract<Reading, { kind: 'operation' }>

const settled = (place: ConfirmationPlace, reason: ConfirmationReason): Evaluation => ({
  type: 'settled',
  place,
  reason,
})
const within = (
  place: ConfirmationPlace,
  reason: ConfirmationReason,
  budgets: readonly (AppBudget | NamedBudget)[],
  worth: readonly Amount[] = [],
): Evaluation => ({
  type: 'within',
  place,
  reason,
  worth,
  budgets: budgets.map((budget) => (typeof budget === 'string' ? budget : budget.name)),
})

/** Evaluates for a card in a browser that can detect overlays. */
export function evaluate(reading: Reading, app: Rules): Evaluation {
  switch (reading.kind) {
    case 'message':
      if (!reading.isText) return settled('page', 'not_understood')
      if (!signsInToAppOnly(reading, app)) return settled('page', 'sign_in_elsewhere')
      return within('frame', 'plain_message', ['messages'])
    // Account actions are irreversible, so the user sees the address bar of the confirmation page.
    case 'account':
      return settled('page', 'account_action')
    case 'typed_data':
      return evaluateTypedData(reading, app)
    case 'transaction':
      return evaluateCall(reading, app)
    case 'solana_transaction':
      if (reading.pageReason) return settled('page', reading.pageReason)
      return within('frame', 'within_allowance', ['allowance'], getSolanaWorth(reading))
    case 'operation':
      return evaluateOperation(reading, app)
    case 'delegation':
      return evaluateDelegation(reading, app)
    default:
      return reading satisfies never
  }
}

/**
 * The amounts that a Solana transaction takes from the wallet. A transaction does not name its cluster, so its coins
 * always count as those of the main network.
 */
const getSolanaWorth = ({ lamports, tokens }: SolanaTransaction): Amount[] => [
  ...(lamports > 0n ? [{ chainId: solanaChain, amount: lamports }] : []),
  ...tokens.map(({ mint, amount }) => ({ chainId: solanaChain, token: mint, amount })),
]

/** Whether every sign-in domain of the message belongs to the app. */
const signsInToAppOnly = ({ signInDomains }: Message, { allowedOrigins }: Rules): boolean =>
  signInDomains.every((domain) => isSignInFor(domain, allowedOrigins))

/** Ignores the chain id, because the verifying contract may use another chain or none. */
function evaluateTypedData(reading: Typed, { approvals }: Rules): Evaluation {
  if (isPermit(reading.structs, reading.contract)) return settled('page', 'allowance_or_permit')
  const listed = findTypedDataBudget(approvals, 'card', reading)
  return listed ? within('frame', 'within_limits', [listed]) : settled('page', 'not_understood')
}

/**
 * Evaluates each call like a transaction. One that needs the page sends them all there. The sum of their values counts
 * against each of their budgets. A confirmation counts a budget once, so two calls of one listed budget need the page.
 */
function evaluateOperation({ calls }: Operation, app: Rules): Evaluation {
  const evaluations = calls.map((call) => evaluateCall(call, app))
  const first = evaluations.find(({ place }) => place === 'page') ?? evaluations[0]
  if (first?.type !== 'within') return first ?? settled('page', 'not_understood')
  const limited = evaluations.flatMap((each) => (each.type === 'within' ? [each] : []))
  const budgets = limited.flatMap((each) => each.budgets)
  const listed = budgets.filter((name) => name !== 'allowance')
  if (new Set(listed).size < listed.length) return settled('page', 'too_often')
  const worth = limited.flatMap((each) => each.worth)
  return { ...first, worth, budgets: [...new Set(budgets)] }
}

/** An authorization names no contract but the account contract, so only its fee counts. */
function evaluateDelegation(reading: Delegation, app: Rules): Evaluation {
  if (isTestNetwork(reading, app)) return settled('frame', 'test_network')
  const { chainId, mostFee } = reading
  const worth = mostFee === 0n ? [] : [{ chainId, amount: mostFee }]
  return within('frame', 'within_allowance', ['allowance'], worth)
}

function evaluateCall(reading: Call, app: Rules): Evaluation {
  if (isTestNetwork(reading, app)) return settled('frame', 'test_network')
  const call = classifyCall(reading)
  const listed = call.type !== 'creation' && findCallBudget(app.approvals, 'card', { ...reading, ...call })
  if (listed) {
    // A limit on the number of calls does not bound their fees.
    const budgets = listed.limit.unit === 'times' ? (['allowance', listed] as const) : [listed]
    return within('frame', 'within_limits', budgets, [getSpentAmount(reading)])
  }
  switch (call.type) {
    case 'coin':
      return within('frame', 'within_allowance', ['allowance'], [getSpentAmount(reading)])
    case 'transfer':
      return within('frame', 'within_allowance', ['allowance'], [getSpentAmount(reading), call.moved])
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
 * Evaluates for a card in a browser that cannot detect overlays. Such a card approves plain messages, and coin
 * transfers within a separate limit.
 */
export function evaluateUnseen(reading: Reading, app: Rules): Evaluation {
  const onCard = evaluate(reading, app)
  if (onCard.place === 'page') return onCard
  const isCoin = reading.kind === 'transaction' && classifyCall(reading).type === 'coin'
  if (onCard.reason === 'plain_message' || (isCoin && onCard.reason === 'test_network')) {
    return { ...onCard, place: 'unseen' }
  }
  if (isCoin && onCard.reason === 'within_allowance')
    return within('unseen', 'within_allowance', ['allowance', 'unseen'], [getSpentAmount(reading)])
  return settled('page', 'browser')
}

/** Evaluates for approval without a prompt. Returns undefined if the user must be asked. `method` is as requested. */
export function evaluateSilent(reading: Reading, app: Rules, method: string): Evaluation | undefined {
  const { config, approvals } = app
  if (config.enforceWalletUis || approvals.noPrompt === null) return undefined
  switch (reading.kind) {
    case 'message': {
      const isPlain = reading.isText && signsInToAppOnly(reading, app)
      const isNamed = approvals.noPrompt.messages && method === 'personal_sign' && isPlain
      return isNamed ? within('silent', 'within_limits', ['messages', 'silent-messages']) : undefined
    }
    // An operation is shown with all its calls, even if a list allows each of them.
    case 'account':
    case 'solana_transaction':
    case 'operation':
    case 'delegation':
      return undefined
    case 'typed_data': {
      const listed = findTypedDataBudget(approvals, 'silent', reading)
      const isNamed = listed && !isPermit(reading.structs, reading.contract)
      return isNamed ? within('silent', 'within_limits', [listed]) : undefined
    }
    case 'transaction': {
      const call = classifyCall(reading)
      const listed = call.type !== 'creation' && findCallBudget(approvals, 'silent', { ...reading, ...call })
      if (!listed) return undefined
      const worth = isTestNetwork(reading, app) ? [] : [getSpentAmount(reading)]
      return within('silent', 'within_limits', ['silent-calls', listed], worth)
    }
    default:
      return reading satisfies never
  }
}

const getSpentAmount = ({ chainId, value, mostFee }: Call): Amount => ({
  chainId,
  amount: value + mostFee,
})

export const isTestNetwork = ({ chainId }: Pick<Call, 'chainId'>, { config }: Pick<Rules, 'config'>) =>
  config.testNetworks.some((test) => String(test) === chainId)

type ClassifiedCall =
  | { type: 'creation' }
  | ({ to: string; selector: string } & (
      | { type: 'coin' | 'token' | 'right' | 'other' }
      | { type: 'transfer'; moved: Amount }
    ))

const transferSelector = '0xa9059cbb'
const SELECTOR_LENGTH = 2 + 2 * 4
/** Exactly `transfer(address,uint256)`. Extra bytes may have a meaning for the contract. */
const tokenTransfer = /^0xa9059cbb0{24}[0-9a-f]{40}([0-9a-f]{64})$/

const kinds = { right: 'right', tokens: 'token', calls: 'other' } as const

function classifyCall({ to, data, chainId }: Call): ClassifiedCall {
  if (to === undefined) return { type: 'creation' }
  if (data === '0x') return { type: 'coin', to, selector: data }
  const selector = data.slice(0, SELECTOR_LENGTH)
  const amount = tokenTransfer.exec(data)?.[1]
  if (amount !== undefined) {
    return { type: 'transfer', to, selector, moved: { chainId, token: to, amount: BigInt(`0x${amount}`) } }
  }
  if (selector === transferSelector) return { type: 'token', to, selector }
  return { type: kinds[findRefusedCall(selector)?.carries ?? 'calls'], to, selector }
}
