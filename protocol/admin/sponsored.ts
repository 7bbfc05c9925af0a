/** Fees that the server pays for users of an app. */
import * as v from 'valibot'
import { usdText } from '../capabilities/confirm/wallet.ts'
import { text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import type { AdminRoutes } from './route.ts'

export const adminSponsoredRoutes = {
  readSponsored: {
    method: 'GET',
    path: '/apps/{app}/sponsored',
    scopes: ['stats:read'],
    effect: 'reads',
    status: 200,
    summary:
      'returns the fees that the server paid for users of an app: by chain and day (UTC) of the last 7 days, and the rest of the daily limit. Days without operations are left out',
    output: v.object({
      /** The chains with paid fees, and the clusters of Solana as `solana:<cluster>`. */
      chains: v.array(text),
      limit: v.object({
        usdPerDay: v.number(),
        /** Fees of the last 24 hours. An operation counts its maximum fee until it is in a block. */
        spentUsd: usdText,
        leftUsd: usdText,
      }),
      /** Operations that are in no block yet. */
      pending: v.number(),
      from: time,
      to: time,
      data: v.array(
        v.object({
          chainId: text,
          /** The start of the day. */
          at: time,
          usd: usdText,
          operations: v.number(),
          /** Operations that were reverted or never got into a block. */
          failed: v.number(),
        }),
      ),
    }),
    errors: ['app_not_found'],
  },
} as const satisfies AdminRoutes
