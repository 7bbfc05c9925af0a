/** What may be approved in a frame, and what without anybody being asked. The server holds these and decides by them. */
import * as v from 'valibot'
import { appLimits } from '../../kernel/limits.ts'
import { refusedCall } from './refused-calls.ts'

const usdPerDay = v.pipe(v.number(), v.minValue(0), v.maxValue(appLimits.maxUsdPerDay))
const timesPerDay = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxTimesPerDay))
const contract = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/, 'A contract is written in small letters'))

const listedCall = v.pipe(
  v.object({
    chain: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    contract,
    /** The first four bytes of the data; `0x`: none, the coin alone. */
    selector: v.pipe(
      v.string(),
      v.regex(/^0x([0-9a-f]{8})?$/, 'A selector is 0x and eight small hexadecimal digits, or 0x for no data'),
    ),
    /** Of calls that carry coin: what they carry and cost. */
    usdPerDay: v.exactOptional(usdPerDay),
    /** Of calls that carry none. */
    callsPerDay: v.exactOptional(timesPerDay),
  }),
  v.check(
    (call) => (call.usdPerDay === undefined) !== (call.callsPerDay === undefined),
    'A call has one bound: usd_per_day where it carries coin, or calls_per_day where it carries none',
  ),
)
const calls = v.pipe(v.array(listedCall), v.maxLength(appLimits.maxListed))

const typedData = v.pipe(
  v.array(
    v.object({
      contract,
      primaryType: v.pipe(v.string(), v.regex(/^[A-Za-z_$][\w$]{0,127}$/, 'A type has a name of letters')),
    }),
  ),
  v.maxLength(appLimits.maxListed),
)

export const approvalSettings = {
  /** What one wallet may move in a day with approvals in the frame; beyond it, they are given on a page. Null: no limit. */
  frameApprovalsUsdPerDay: v.nullable(usdPerDay),
  /** How much of that where the browser can not tell what covers the card. */
  frameApprovalsUsdPerDayUnseen: v.nullable(usdPerDay),
  /** How many plain messages one wallet may sign in a day without the page. */
  frameMessagesPerDay: v.nullable(timesPerDay),
  /** Calls that a card may approve, each within a bound of its own. */
  cardCalls: calls,
  /** Typed data that a card may approve, by who verifies it and what it is. */
  cardTypedData: typedData,
  /** What a host may have signed without a screen (`noPromptOnSignature`). Null: nothing. */
  noPrompt: v.nullable(
    v.object({
      messages: v.boolean(),
      /** What all these calls move and cost together. Null: no limit beside their own. */
      usdPerDay: v.nullable(usdPerDay),
      calls,
      typedData,
    }),
  ),
}

export type ApprovalSettings = {
  readonly [Name in keyof typeof approvalSettings]: v.InferOutput<(typeof approvalSettings)[Name]>
}
export type ListedCall = v.InferOutput<typeof listedCall>
export type ListedTypedData = v.InferOutput<typeof typedData>[number]

export const defaultApprovalSettings: ApprovalSettings = {
  frameApprovalsUsdPerDay: 100,
  frameApprovalsUsdPerDayUnseen: 20,
  frameMessagesPerDay: 200,
  cardCalls: [],
  cardTypedData: [],
  noPrompt: null,
}

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
  readonly calls?: readonly ListedCall[]
  readonly typedData?: readonly ListedTypedData[]
}
/** By the names that the API has. */
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
    const why = refused.carries === 'right' ? 'lets somebody act later' : 'carries other calls'
    return `${selector} is ${refused.signature}, which ${why}: it is always shown on the page`
  }
  return undefined
}

function refusedTypeIn(typedData: readonly ListedTypedData[]): string | undefined {
  const permit = typedData.find(({ contract, primaryType }) => isPermit([primaryType], contract))
  if (permit === undefined) return undefined
  return `${permit.primaryType} of ${permit.contract} is a permit, which lets somebody take later: it is always shown on the page`
}
