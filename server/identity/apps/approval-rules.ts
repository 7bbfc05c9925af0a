/** What an operator may not list of approvals, and how an earlier release stored them. */
import * as v from 'valibot'
import {
  type ApprovalSettings,
  approvalSettings,
  type ListedCall,
  type ListedTypedData,
} from '../../kernel/app-settings/approval-settings.ts'
import { refusedCall } from './refused-calls.ts'

const earlierNoPrompt = v.object({
  methods: v.array(v.string()),
  usdPerDay: approvalSettings.frameApprovalsUsdPerDay,
})

/** An earlier release listed methods and contracts: of these, messages are named still, and no call is. */
export function storedNoPrompt(stored: unknown): unknown {
  if (!v.is(earlierNoPrompt, stored)) return stored
  const { methods, usdPerDay } = stored
  const messages = methods.includes('personal_sign')
  return { messages, usdPerDay, calls: [], typedData: [] } satisfies ApprovalSettings['noPrompt']
}

const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** EIP-2612, its relatives, and Permit2 with all that it witnesses. `structs`: the names of all that it is made of. */
export const isPermit = (structs: readonly string[], contract: string | undefined): boolean =>
  contract?.toLowerCase() === permit2 || structs.some((name) => /permit/i.test(name))

type Lists = {
  calls?: readonly ListedCall[]
  typedData?: readonly ListedTypedData[]
}
/** The keys are the names that the API has for these lists. */
const lists: Readonly<Record<string, (settings: ApprovalSettings) => Lists | null>> = {
  card_calls: ({ cardCalls }) => ({ calls: cardCalls }),
  card_typed_data: ({ cardTypedData }) => ({ typedData: cardTypedData }),
  no_prompt: ({ noPrompt }) => noPrompt,
}

/**
 * Why this setting can not be as it is, if it can not: asked when an operator sets it. What a later release refuses
 * stays where it was stored, and allows nothing.
 */
export function refusedInList(setting: string, settings: ApprovalSettings): string | undefined {
  const { calls = [], typedData = [] } = (Object.hasOwn(lists, setting) && lists[setting]?.(settings)) || {}
  return refusedCallIn(calls) ?? refusedTypeIn(typedData)
}

function refusedCallIn(calls: readonly ListedCall[]): string | undefined {
  for (const { selector } of calls) {
    const refused = refusedCall(selector)
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

function refusedTypeIn(typedData: readonly ListedTypedData[]): string | undefined {
  const permit = typedData.find(({ contract, primaryType }) => isPermit([primaryType], contract))
  if (permit === undefined) return undefined
  return `${permit.primaryType} of ${permit.contract} is a permit, which lets somebody take tokens later. It is always confirmed on the wallet's page.`
}
