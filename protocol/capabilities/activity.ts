import * as v from 'valibot'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { signedDigest } from '../vault/confirmed.ts'
import { confirmationPlaces } from './confirm/wallet.ts'

/** Kinds of activity: signatures and account actions. */
export const activityKinds = [
  'message',
  'typed_data',
  'transaction',
  'operation',
  'delegation',
  'created',
  'imported',
  'recovered',
  'recovery_set',
  'exported',
  'farcaster_message',
  'app_connected',
  'app_ended',
  'app_request',
] as const
const activityEntry = v.object({
  id,
  at: epochSeconds,
  kind: v.picklist(activityKinds),
  /**
   * The name of an app that was connected, disconnected or sent the request, or the host of a dapp that used a relay.
   */
  app: v.exactOptional(text),
  /** This field and all below: for signatures only. */
  method: v.exactOptional(text),
  place: v.exactOptional(v.picklist(confirmationPlaces)),
  digest: v.exactOptional(signedDigest),
  /** Set for transactions, and for typed data that names a chain and a recipient. */
  chainId: v.exactOptional(text),
  to: v.exactOptional(evmAddress),
  /** In the chain's smallest unit, as a decimal string. */
  value: v.exactOptional(text),
})
export type ActivityEntry = v.InferOutput<typeof activityEntry>

export const activityRoutes = {
  activity: {
    method: 'GET',
    path: '/users/me/activity',
    auth: 'dialog',
    forks: true,
    effect: 'reads',
    appHeader: true,
    query: v.object({ before: v.exactOptional(v.pipe(text, v.regex(/^[0-9]{1,12}\.[A-Za-z0-9_-]{1,64}$/))) }),
    /** `next` is the `before` parameter of the next page. */
    output: v.object({ activity: v.array(activityEntry), next: v.nullable(text) }),
  },
} as const satisfies Routes

export const activityDoc: RoutesDoc<typeof activityRoutes> = {
  activity: {
    summary: "Returns the activity of the user's wallets, newest first, with 50 entries per page.",
    errors: ['must_be_authenticated'],
  },
}
