/**
 * App settings for approvals: limits for the dialog's card, and requests that need no prompt. The server enforces them.
 */
import * as v from 'valibot'
import { appLimits } from './limits.ts'

export const usdPerDay = v.pipe(v.number(), v.minValue(0), v.maxValue(appLimits.maxUsdPerDay))
const timesPerDay = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(appLimits.maxTimesPerDay))
export const contractAddress = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{40}$/, 'a contract is 0x and 40 lowercase hexadecimal digits'),
)

/** The first four bytes of the call data; `0x` for a plain coin transfer without data. */
export const functionSelector = v.pipe(
  v.string(),
  v.regex(/^0x([0-9a-f]{8})?$/, 'a selector is 0x and eight lowercase hexadecimal digits, or 0x for no data'),
)

const listedCall = v.pipe(
  v.object({
    chain: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    contract: contractAddress,
    selector: functionSelector,
    /** Daily limit for calls that carry coin: their value plus fees. */
    usdPerDay: v.exactOptional(usdPerDay),
    /** Daily limit for calls that carry no coin. */
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
      contract: contractAddress,
      primaryType: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z_$][\w$]{0,127}$/, 'the name of a type has letters, digits, _ and $'),
      ),
    }),
  ),
  v.maxLength(appLimits.maxListed),
)

export const approvalSettings = {
  /**
   * USD that one wallet may move per day with card approvals. Beyond it, approvals need the confirmation page. Null: no
   * limit.
   */
  frameApprovalsUsdPerDay: v.nullable(usdPerDay),
  /** The part of that limit that applies if the browser cannot detect whether something covers the card. */
  frameApprovalsUsdPerDayUnseen: v.nullable(usdPerDay),
  /** Plain messages that one wallet may sign per day without the confirmation page. */
  frameMessagesPerDay: v.nullable(timesPerDay),
  /** Calls that the card may approve, each with its own limit. */
  cardCalls: calls,
  /** Typed data that the card may approve, by verifying contract and primary type. */
  cardTypedData: typedData,
  /** Requests that a host page may have signed without a screen (`noPromptOnSignature`). Null: none. */
  noPrompt: v.nullable(
    v.object({
      messages: v.boolean(),
      /** USD per day for the values and fees of all these calls together. Null: only the limits of each call apply. */
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
