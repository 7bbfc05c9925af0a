/**
 * The wallet frame and the window in which a user gives what keeps their wallet, which finds it by the handle in its
 * address (`pages/handshake/hello.ts`). What was given stays in that window until a vault asks for it, and leaves it sealed to that
 * vault and one of its steps. What a cloud said goes to the frame as it is: the frame asks that cloud for the file.
 */
import { base64url, evmAddress, walletLimits } from '@latchkey/protocol'
import type { Contract, ReceivedMessages } from '@latchkey/protocol/channel'
import {
  cloudRefusals,
  cloudSignInSchema,
  newPasskeySchema,
  operationStepSchema,
  passkeyToAskSchema,
  recoveryPasskeyAnswerSchema,
  recoveryProblemSchema,
  recoveryWindowPurposes,
  sealedShareSchema,
  sealingKey,
  signedDigest,
  userRecoveries,
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
    /** Gives the address where the user signs in to their cloud, before the press that opens it. */
    address: call,
    /** The cloud gave nothing. */
    refuse: call,
  },
  child: {
    /** What was given, sealed. */
    seal: call,
    /** What a cloud said: it is for the frame, which asks that cloud for the file. */
    fromCloud: call,
    /** Asks the user whether this is to keep their wallet, which the digest says. */
    confirm: byPerson,
  },
} as const satisfies Contract

const passkey = v.exactOptional(passkeyToAskSchema)

const outcome = v.variant('type', [
  v.object({ type: v.literal('done') }),
  /** The window asks the user again. */
  v.object({ type: v.literal('again'), problem: recoveryProblemSchema, passkey }),
  /** Ends the window: the user starts again in the app. */
  v.object({ type: v.literal('over'), problem: recoveryProblemSchema }),
])
export type Outcome = v.InferOutput<typeof outcome>

const asked = v.object({
  method: v.picklist(userRecoveries),
  purpose: v.picklist(recoveryWindowPurposes),
  address: v.nullable(evmAddress),
  passkey,
})
export type Asked = v.InferOutput<typeof asked>

const challenge = v.pipe(base64url, v.length(43))

export const frameMessages = {
  calls: {
    begin: v.object({}),
    give: v.object({ newPasskey: v.exactOptional(newPasskeySchema) }),
    /** The challenge and the state that bind Google's answer to this window; iCloud needs neither. */
    address: v.object({ codeChallenge: challenge, stateCode: challenge }),
    refuse: v.object({ code: v.picklist(cloudRefusals) }),
  },
  answers: {
    seal: v.object({
      password: v.exactOptional(sealedShareSchema),
      passkey: v.exactOptional(recoveryPasskeyAnswerSchema),
    }),
    fromCloud: cloudSignInSchema,
    confirm: v.object({}),
  },
} as const satisfies ReceivedMessages
export const windowMessages = {
  calls: {
    seal: v.object({ vaultKey: sealingKey, operation: operationStepSchema }),
    fromCloud: v.object({}),
    confirm: v.object({ digest: signedDigest }),
  },
  answers: {
    begin: asked,
    give: outcome,
    /** `origin`: of the page that tells a window of iCloud who has signed in. */
    address: v.object({ url: v.string(), origin: v.nullable(v.string()) }),
    refuse: v.object({}),
  },
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type WindowMessages = typeof windowMessages
