/**
 * The daily budgets of a wallet for approvals without the confirmation page: the app's limits and the bounds of listed
 * calls. A confirmation stores budget names. The limits are looked up again on use, so removing a call from the list
 * takes effect at once.
 */
import { findRefusedCall } from '../../../identity/apps/apps.ts'
import type {
  ApprovalSettings,
  ListedCall,
  ListedTypedData,
} from '../../../kernel/app-settings/approval-settings.ts'

/** A bound in cents moved and paid, or in number of uses. `most: null` means unlimited. */
export type Limit = { unit: 'cents' | 'times'; most: number | null }

/** The operator's lists: requests that a card may approve, and requests that need no prompt. */
export type AllowList = 'card' | 'silent'
type Lists = { calls: readonly ListedCall[]; typedData: readonly ListedTypedData[] }

const emptyLists: Lists = { calls: [], typedData: [] }
const listsFor: { [list in AllowList]: (approvals: ApprovalSettings) => Lists } = {
  card: ({ cardCalls, cardTypedData }) => ({ calls: cardCalls, typedData: cardTypedData }),
  silent: ({ noPrompt }) => noPrompt ?? emptyLists,
}

const CENTS = 100
const dollars = (usd: number | null): Limit => ({
  unit: 'cents',
  most: usd === null ? null : Math.floor(usd * CENTS),
})
const times = (most: number | null): Limit => ({ unit: 'times', most })

const appLimits = {
  allowance: ({ frameApprovalsUsdPerDay }) => dollars(frameApprovalsUsdPerDay),
  unseen: ({ frameApprovalsUsdPerDayUnseen }) => dollars(frameApprovalsUsdPerDayUnseen),
  messages: ({ frameMessagesPerDay }) => times(frameMessagesPerDay),
  'silent-messages': ({ noPrompt }) => (noPrompt?.messages ? times(null) : undefined),
  'silent-calls': ({ noPrompt }) => noPrompt && dollars(noPrompt.usdPerDay),
} as const satisfies Record<string, (approvals: ApprovalSettings) => Limit | null | undefined>
export type AppBudget = keyof typeof appLimits

export type NamedBudget = { name: string; limit: Limit }

type ContractCall = {
  chainId: string
  to: string
  selector: string
  value: bigint
}

/** Finds the budget of a listed call: in dollars if it sends coin, otherwise in number of calls. */
export function findCallBudget(
  approvals: ApprovalSettings,
  list: AllowList,
  { chainId, to, selector, value }: ContractCall,
): NamedBudget | undefined {
  if (findRefusedCall(selector) !== undefined) return undefined
  const unit = value > 0n ? 'cents' : 'times'
  const listed = getCallBudgets(approvals, list)
  return listed.find(({ name }) => name === callName(list, { chainId, contract: to, selector, unit }))
}

const getCallBudgets = (approvals: ApprovalSettings, list: AllowList): readonly NamedBudget[] =>
  listsFor[list](approvals).calls.map(({ chain, contract, selector, usdPerDay, callsPerDay = 0 }) => {
    const limit = usdPerDay === undefined ? times(callsPerDay) : dollars(usdPerDay)
    return { name: callName(list, { chainId: String(chain), contract, selector, unit: limit.unit }), limit }
  })

type CallName = Pick<ContractCall, 'chainId' | 'selector'> & { contract: string } & Pick<Limit, 'unit'>

const callName = (list: AllowList, { chainId, contract, selector, unit }: CallName) =>
  `${list}-call:${chainId}:${contract.toLowerCase()}:${selector}:${unit}`

/** Finds the budget of listed typed data. Its value is unknown, so it has no limit while it is listed. */
export function findTypedDataBudget(
  approvals: ApprovalSettings,
  list: AllowList,
  { contract, primaryType }: { contract: string | undefined; primaryType: string },
): NamedBudget | undefined {
  if (contract === undefined) return undefined
  const name = typeName(list, { contract, primaryType })
  return getTypedDataBudgets(approvals, list).find((listed) => listed.name === name)
}

const getTypedDataBudgets = (approvals: ApprovalSettings, list: AllowList): readonly NamedBudget[] =>
  listsFor[list](approvals).typedData.map((listed) => ({ name: typeName(list, listed), limit: times(null) }))

const typeName = (list: AllowList, { contract, primaryType }: ListedTypedData) =>
  `${list}-type:${contract.toLowerCase()}:${primaryType}`

/** Returns the limit of a budget, or undefined if the operator no longer lists it. */
export function getLimit(approvals: ApprovalSettings, name: string): Limit | undefined {
  if (isAppBudget(name)) return appLimits[name](approvals) ?? undefined
  const list: AllowList = name.startsWith('card-') ? 'card' : 'silent'
  const listed = [...getCallBudgets(approvals, list), ...getTypedDataBudgets(approvals, list)]
  return listed.find((budget) => budget.name === name)?.limit
}

const isAppBudget = (name: string): name is AppBudget => Object.hasOwn(appLimits, name)
