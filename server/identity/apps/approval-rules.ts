/**
 * Restricts which calls and typed data operators may list for approvals without the wallet page, and migrates lists of
 * an earlier release.
 */
import * as v from 'valibot'
import {
  type ApprovalSettings,
  approvalSettings,
  type ListedCall,
  type ListedTypedData,
} from '../../kernel/app-settings/approval-settings.ts'
import { findRefusedCall } from './refused-calls.ts'

const earlierNoPrompt = v.object({
  methods: v.array(v.string()),
  usdPerDay: approvalSettings.frameApprovalsUsdPerDay,
})

/**
 * Converts the lists of an earlier release, which contained methods and contracts. Only the message setting is kept.
 */
export function migrateNoPrompt(stored: unknown): unknown {
  if (!v.is(earlierNoPrompt, stored)) return stored
  const { methods, usdPerDay } = stored
  const messages = methods.includes('personal_sign')
  return { messages, usdPerDay, calls: [], typedData: [] } satisfies ApprovalSettings['noPrompt']
}

const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * Returns whether typed data is a permit: EIP-2612 and its relatives, or Permit2 with any witness. `structs` contains
 * the names of all its struct types.
 */
export const isPermit = (structs: readonly string[], contract: string | undefined): boolean =>
  contract?.toLowerCase() === permit2 || structs.some((name) => /permit/i.test(name))

type Lists = {
  calls?: readonly ListedCall[]
  typedData?: readonly ListedTypedData[]
}
/** Keys are the API names of these lists. */
const lists: Readonly<Record<string, (settings: ApprovalSettings) => Lists | null>> = {
  card_calls: ({ cardCalls }) => ({ calls: cardCalls }),
  card_typed_data: ({ cardTypedData }) => ({ typedData: cardTypedData }),
  no_prompt: ({ noPrompt }) => noPrompt,
}

/**
 * Returns the reason why an operator may not set this list, or undefined. Entries that a later release refuses remain
 * stored but have no effect.
 */
export function findListRefusal(setting: string, settings: ApprovalSettings): string | undefined {
  const { calls = [], typedData = [] } = (Object.hasOwn(lists, setting) && lists[setting]?.(settings)) || {}
  return findCallRefusal(calls) ?? findTypedDataRefusal(typedData)
}

function findCallRefusal(calls: readonly ListedCall[]): string | undefined {
  for (const { selector } of calls) {
    const refused = findRefusedCall(selector)
    if (refused === undefined) continue
    return `${selector} is ${refused.signature}, which ${effects[refused.carries]}. It is always confirmed on the wallet's page.`
  }
  return undefined
}

const effects = {
  right: 'lets another party act later',
  tokens: 'moves assets of whichever account its call names',
  calls: 'carries other calls',
} as const

function findTypedDataRefusal(typedData: readonly ListedTypedData[]): string | undefined {
  const permit = typedData.find(({ contract, primaryType }) => isPermit([primaryType], contract))
  if (permit === undefined) return undefined
  return `${permit.primaryType} of ${permit.contract} is a permit, which lets somebody take tokens later. It is always confirmed on the wallet's page.`
}
