import * as v from 'valibot'
import { epochSeconds, id, text } from '../entities/primitives.ts'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'
import { signedDigest } from '../vault/confirmed.ts'
import { confirmationPlaces } from './confirm/wallet.ts'

/** What a wallet has signed, and what else was done with it. */
export const activityKinds = [
  'message',
  'typed_data',
  'transaction',
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
  /** Of an app that the user connected or disconnected, or that asked for it: its name; the host of a dapp that asked through a relay. */
  app: v.exactOptional(text),
  /** Of a signature alone, as all that follows. */
  method: v.exactOptional(text),
  place: v.exactOptional(v.picklist(confirmationPlaces)),
  digest: v.exactOptional(signedDigest),
  /** Of a transaction, and of typed data that names them. */
  chainId: v.exactOptional(text),
  to: v.exactOptional(evmAddress),
  /** In the smallest unit of the chain, decimal. */
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
    /** `next` is `before` of the page that follows. */
    output: v.object({ activity: v.array(activityEntry), next: v.nullable(text) }),
  },
} as const satisfies Routes

export const activityDoc: RoutesDoc<typeof activityRoutes> = {
  activity: {
    summary:
      'What the wallets of the user have signed, and what else was done with them, newest first, fifty a page.',
    errors: ['must_be_authenticated'],
  },
}
