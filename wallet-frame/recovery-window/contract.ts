/**
 * The wallet frame and the window in which a user gives what keeps their wallet, which finds it by the handle in its
 * address (`pages/hello.ts`). What was given stays in that window until a vault asks for it, and leaves it sealed to that
 * vault and one of its steps.
 */
import { evmAddress, walletLimits } from '@latchkey/protocol'
import type { Contract, Hears } from '@latchkey/protocol/channel'
import {
  givenPasskeySchema,
  newPasskeySchema,
  operationStepSchema,
  passkeyToAskSchema,
  recoveryProblemSchema,
  recoveryWindowPurposes,
  sealedShareSchema,
  sealingKey,
  signedDigest,
  windowRecoveries,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs } as const
const byPerson = { policy: 'dialog-only' } as const

/** `parent` is the wallet frame. */
export const recoveryWindowContract = {
  name: 'wallet-recovery-window',
  parent: {
    /** What the user is asked for. */
    begin: call,
    /** They have given it: answered when it was used. A verification may be asked for on the card meanwhile. */
    give: byPerson,
  },
  child: {
    /** What was given, sealed. */
    seal: call,
    /** Asks the user whether this is to keep their wallet, which the digest says. */
    confirm: byPerson,
  },
} as const satisfies Contract

const passkey = v.exactOptional(passkeyToAskSchema)

const outcome = v.variant('type', [
  v.object({ type: v.literal('done') }),
  /** It is asked for once more. */
  v.object({ type: v.literal('again'), problem: recoveryProblemSchema, passkey }),
  /** It is begun anew in the app. */
  v.object({ type: v.literal('over'), problem: recoveryProblemSchema }),
])
export type Outcome = v.InferOutput<typeof outcome>

const asked = v.object({
  method: v.picklist(windowRecoveries),
  purpose: v.picklist(recoveryWindowPurposes),
  address: v.nullable(evmAddress),
  passkey,
})
export type Asked = v.InferOutput<typeof asked>

export const heardByFrame = {
  calls: { begin: v.object({}), give: v.object({ newPasskey: v.exactOptional(newPasskeySchema) }) },
  answers: {
    seal: v.object({
      password: v.exactOptional(sealedShareSchema),
      passkey: v.exactOptional(givenPasskeySchema),
    }),
    confirm: v.object({}),
  },
} as const satisfies Hears
export const heardByWindow = {
  calls: {
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
    confirm: v.object({ digest: signedDigest }),
  },
  answers: { begin: asked, give: outcome },
} as const satisfies Hears

export type HeardByFrame = typeof heardByFrame
export type HeardByWindow = typeof heardByWindow
