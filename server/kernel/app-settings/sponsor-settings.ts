/** App settings for user operations with fees paid by the operator. The server enforces them. */
import * as v from 'valibot'
import { contractAddress, functionSelector, usdPerDay } from './approval-settings.ts'
import { appLimits } from './limits.ts'

export const sponsorSettings = {
  sponsorLimits: v.object({
    /** USD of fees per day, for all users together. */
    usdPerDay,
    usdPerUserPerDay: usdPerDay,
    usdPerOperation: usdPerDay,
    /** The age in minutes at which an account gets its first operation. */
    minAccountMinutes: v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(0),
      v.maxValue(appLimits.maxTimesPerDay),
    ),
    /** The only calls that are paid for, by contract and selector. Null: every call that the user approves. */
    calls: v.nullable(
      v.pipe(
        v.array(
          v.object({
            chain: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
            contract: contractAddress,
            selector: functionSelector,
          }),
        ),
        v.maxLength(appLimits.maxListed),
      ),
    ),
  }),
}

export type SponsorLimits = v.InferOutput<typeof sponsorSettings.sponsorLimits>

export const defaultSponsorSettings: { sponsorLimits: SponsorLimits } = {
  sponsorLimits: {
    usdPerDay: 20,
    usdPerUserPerDay: 2,
    usdPerOperation: 1,
    minAccountMinutes: 0,
    calls: null,
  },
}
