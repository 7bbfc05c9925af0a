/** What may be approved in a frame, and what without anybody being asked. The server holds these; no browser has them. */
import * as v from 'valibot'
import { appLimits } from '../limits.ts'

/** Null: no limit. */
const usdPerDay = v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(appLimits.maxUsdPerDay)))
const contract = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/, 'A contract is written in small letters'))

export const approvalSettings = {
  /** What one wallet may move in a day with approvals in the frame; beyond it, they are given on a page of their own. */
  frameApprovalsUsdPerDay: usdPerDay,
  /** What a host may have signed without a screen (`noPromptOnSignature`). Null: nothing. */
  noPrompt: v.nullable(
    v.object({
      methods: v.array(v.picklist(['personal_sign', 'eth_signTypedData_v4', 'eth_signTransaction'])),
      /** Where transactions go, and who verifies typed data. */
      contracts: v.pipe(v.array(contract), v.maxLength(appLimits.maxContracts)),
      usdPerDay,
    }),
  ),
}

export type ApprovalSettings = {
  readonly [Name in keyof typeof approvalSettings]: v.InferOutput<(typeof approvalSettings)[Name]>
}

export const defaultApprovalSettings: ApprovalSettings = { frameApprovalsUsdPerDay: 100, noPrompt: null }
