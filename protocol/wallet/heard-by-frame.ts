import * as v from 'valibot'
import type { Hears } from '../channel/contract.ts'
import { recoveryMethods } from '../entities/linked-account.ts'
import { evmAddress, id, text } from '../entities/primitives.ts'
import { mfaMethodTypes } from '../entities/user.ts'
import { walletSizes } from '../limits.ts'
import { operationStepSchema } from './operations.ts'
import { sealedShareSchema } from './shares.ts'

const empty = v.object({})
const option = v.exactOptional

/** One step of an operation: its number, and the token that the server made for it. */
const step = { accessToken: text, operation: operationStepSchema }

/** What a second factor adds to a call that asks for one. */
const mfa = {
  mfaMethod: option(v.picklist(mfaMethodTypes)),
  mfaCode: option(v.union([text, v.record(v.string(), v.unknown())])),
  relyingParty: option(text),
}

const recovery = {
  recoveryMethod: option(v.picklist(recoveryMethods)),
  /** Sealed by the dialog to the vault of the operation: who carries it can not read it. */
  recoveryPassword: option(sealedShareSchema),
  recoveryAccessToken: option(text),
  recoveryPin: option(text),
}

/** `[message, address]`, as EIP-1193 providers send it; the dialog sends every text as hex, which reads one way only. */
export const personalSignParamsSchema = v.tuple([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(2 + 2 * walletSizes.maxMessageBytes)),
  evmAddress,
])

/** A request as it is passed in, a shape a method. */
export const walletRpcRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
])

export const heardByFrame = {
  calls: {
    'iframe:ready': empty,
    'operation:begin': empty,
    'operation:end': v.object({ operationId: id }),
    'wallet:create': v.object({ ...step, ...recovery }),
    'wallet:connect': v.object({ ...step, address: evmAddress }),
    'wallet:recover': v.object({
      ...step,
      address: evmAddress,
      imported: option(v.boolean()),
      ...recovery,
      ...mfa,
    }),
    'wallet:set-recovery': v.object({ ...step, address: evmAddress, ...recovery, ...mfa }),
    'wallet:rpc': v.object({
      ...step,
      address: evmAddress,
      request: walletRpcRequestSchema,
      requesterAppId: option(id),
      ...mfa,
    }),
    'mfa:clear': v.object({ userId: id }),
  },
  answers: { 'iframe:ready': empty },
} as const satisfies Hears
export type HeardByFrame = typeof heardByFrame
