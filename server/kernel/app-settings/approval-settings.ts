/** What may be approved in a frame, and what without anybody being asked. The server holds these and decides by them. */
import * as v from 'valibot'
import { appLimits } from './limits.ts'

const usdPerDay = v.pipe(v.number(), v.minValue(0), v.maxValue(appLimits.maxUsdPerDay))
const timesPerDay = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxTimesPerDay))
const contract = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/, 'a contract is 0x and 40 lowercase hexadecimal digits'),
)

const listedCall = v.pipe(
  v.object({
    chain: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    contract,
    /** The first four bytes of the data; `0x`: none, the coin alone. */
    selector: v.pipe(
      v.string(),
      v.regex(
        /^0x([0-9a-f]{8})?$/,
        'a selector is 0x and eight lowercase hexadecimal digits, or 0x for no data',
      ),
    ),
    /** The bound of calls that carry coin: what they carry and cost. */
    usdPerDay: v.exactOptional(usdPerDay),
    /** The bound of calls that carry no coin. */
    callsPerDay: v.exactOptional(timesPerDay),
  }),
  v.check(
    (call) => (call.usdPerDay === undefined) !== (call.callsPerDay === undefined),
    'a call needs one bound: usd_per_day if it carries coin, or calls_per_day if it carries none',
  ),
)
const calls = v.pipe(v.array(listedCall), v.maxLength(appLimits.maxListed))

const typedData = v.pipe(
  v.array(
    v.object({
      contract,
      primaryType: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z_$][\w$]{0,127}$/, 'the name of a type has letters, digits, _ and $'),
      ),
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
  [Name in keyof typeof approvalSettings]: v.InferOutput<(typeof approvalSettings)[Name]>
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
