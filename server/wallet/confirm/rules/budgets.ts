/**
 * What is counted, by wallet and day, of what is approved without the page: against the limits of the app, and against
 * the bound of whatever the operator listed. A budget has a name; a confirmation keeps the names of those that it
 * counts against, and what they allow is asked anew when it is used: what is listed no longer allows nothing.
 */
import { refusedCall } from '../../../identity/apps/apps.ts'
import type {
  ApprovalSettings,
  ListedCall,
  ListedTypedData,
} from '../../../kernel/app-settings/approval-settings.ts'

/** Null: no limit. `cents`: of what is moved and paid; `times`: each use is one. */
export type Limit = { unit: 'cents' | 'times'; most: number | null }

/** The two lists of an operator: what a card may approve, and what nobody is asked for. */
export type ListedFor = 'card' | 'silent'
type Lists = { calls: readonly ListedCall[]; typedData: readonly ListedTypedData[] }

const nothing: Lists = { calls: [], typedData: [] }
const listsFor: { [who in ListedFor]: (approvals: ApprovalSettings) => Lists } = {
  card: ({ cardCalls, cardTypedData }) => ({ calls: cardCalls, typedData: cardTypedData }),
  silent: ({ noPrompt }) => noPrompt ?? nothing,
}

const CENTS = 100
const dollars = (usd: number | null): Limit => ({
  unit: 'cents',
  most: usd === null ? null : Math.floor(usd * CENTS),
})
const times = (most: number | null): Limit => ({ unit: 'times', most })

const limitsOfApp = {
  allowance: ({ frameApprovalsUsdPerDay }) => dollars(frameApprovalsUsdPerDay),
  unseen: ({ frameApprovalsUsdPerDayUnseen }) => dollars(frameApprovalsUsdPerDayUnseen),
  messages: ({ frameMessagesPerDay }) => times(frameMessagesPerDay),
  'silent-messages': ({ noPrompt }) => (noPrompt?.messages ? times(null) : undefined),
  'silent-calls': ({ noPrompt }) => noPrompt && dollars(noPrompt.usdPerDay),
} as const satisfies Record<string, (approvals: ApprovalSettings) => Limit | null | undefined>
export type BudgetOfApp = keyof typeof limitsOfApp

export type NamedBudget = { name: string; limit: Limit }

type Called = {
  chainId: string
  to: string
  selector: string
  value: bigint
}

/** The bound of a call that is listed: in dollars where it carries coin, in times where it carries none. */
export function budgetOfCall(
  approvals: ApprovalSettings,
  who: ListedFor,
  { chainId, to, selector, value }: Called,
): NamedBudget | undefined {
  if (refusedCall(selector) !== undefined) return undefined
  const unit = value > 0n ? 'cents' : 'times'
  const listed = budgetsOfCalls(approvals, who)
  return listed.find(({ name }) => name === callName(who, { chainId, contract: to, selector, unit }))
}

const budgetsOfCalls = (approvals: ApprovalSettings, who: ListedFor): readonly NamedBudget[] =>
  listsFor[who](approvals).calls.map(({ chain, contract, selector, usdPerDay, callsPerDay = 0 }) => {
    const limit = usdPerDay === undefined ? times(callsPerDay) : dollars(usdPerDay)
    return { name: callName(who, { chainId: String(chain), contract, selector, unit: limit.unit }), limit }
  })

type CallName = Pick<Called, 'chainId' | 'selector'> & { contract: string } & Pick<Limit, 'unit'>

const callName = (who: ListedFor, { chainId, contract, selector, unit }: CallName) =>
  `${who}-call:${chainId}:${contract.toLowerCase()}:${selector}:${unit}`

/** Typed data that is listed has no worth that anybody knows: it is allowed as long as it is listed. */
export function budgetOfTypedData(
  approvals: ApprovalSettings,
  who: ListedFor,
  { contract, primaryType }: { contract: string | undefined; primaryType: string },
): NamedBudget | undefined {
  if (contract === undefined) return undefined
  const name = typeName(who, { contract, primaryType })
  return budgetsOfTypes(approvals, who).find((listed) => listed.name === name)
}

const budgetsOfTypes = (approvals: ApprovalSettings, who: ListedFor): readonly NamedBudget[] =>
  listsFor[who](approvals).typedData.map((listed) => ({ name: typeName(who, listed), limit: times(null) }))

const typeName = (who: ListedFor, { contract, primaryType }: ListedTypedData) =>
  `${who}-type:${contract.toLowerCase()}:${primaryType}`

/** Undefined where the operator allows nothing by this name, or no longer. */
export function limitOf(approvals: ApprovalSettings, name: string): Limit | undefined {
  if (isOfApp(name)) return limitsOfApp[name](approvals) ?? undefined
  const who: ListedFor = name.startsWith('card-') ? 'card' : 'silent'
  const listed = [...budgetsOfCalls(approvals, who), ...budgetsOfTypes(approvals, who)]
  return listed.find((budget) => budget.name === name)?.limit
}

const isOfApp = (name: string): name is BudgetOfApp => Object.hasOwn(limitsOfApp, name)
