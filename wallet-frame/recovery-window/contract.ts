/**
 * The channel between the wallet frame and the recovery window, in which a user enters a recovery secret. The
 * window finds the frame by the handle in its URL (`pages/handshake/hello.ts`). A secret stays in the window
 * until a vault needs it, and leaves it sealed to one step of that vault. A cloud's sign-in result goes to
 * the frame unsealed: the frame fetches the file.
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
    /** Returns the recovery method to ask for. */
    begin: call,
    /** Reports the user's input. Resolves when it was used; the card may ask for a verification meanwhile. */
    give: byPerson,
    /** Returns the sign-in URL of the user's cloud, before the press that opens it. */
    address: call,
    /** Reports that the cloud sign-in failed. */
    refuse: call,
  },
  child: {
    /** Returns the input, sealed. */
    seal: call,
    /** Returns the cloud's sign-in result, with which the frame fetches the file. */
    fromCloud: call,
    /** Asks the user to approve the recovery method, which the digest identifies. */
    confirm: byPerson,
  },
} as const satisfies Contract

const passkey = v.exactOptional(passkeyToAskSchema)

const outcome = v.variant('type', [
  v.object({ type: v.literal('done') }),
  /** The window asks the user again. */
  v.object({ type: v.literal('again'), problem: recoveryProblemSchema, passkey }),
  /** Ends the window: the user must start again in the app. */
  v.object({ type: v.literal('over'), problem: recoveryProblemSchema }),
])
export type Outcome = v.InferOutput<typeof outcome>

const recoveryRequest = v.object({
  method: v.picklist(userRecoveries),
  purpose: v.picklist(recoveryWindowPurposes),
  address: v.nullable(evmAddress),
  passkey,
})
export type RecoveryRequest = v.InferOutput<typeof recoveryRequest>

const challenge = v.pipe(base64url, v.length(43))

export const frameMessages = {
  calls: {
    begin: v.object({}),
    give: v.object({ newPasskey: v.exactOptional(newPasskeySchema) }),
    /** The challenge and the state that bind Google's response to this window; iCloud needs neither. */
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
    begin: recoveryRequest,
    give: outcome,
    /** `origin` is the origin of the page that posts iCloud's sign-in result. */
    address: v.object({ url: v.string(), origin: v.nullable(v.string()) }),
    refuse: v.object({}),
  },
} as const satisfies ReceivedMessages

export type FrameMessages = typeof frameMessages
export type WindowMessages = typeof windowMessages
