import * as v from 'valibot'
import type { Hears } from '../channel/contract.ts'
import { evmAddress, hex } from '../entities/chain-primitives.ts'
import { recoveryMethods } from '../entities/linked-account.ts'
import { phoneNumber } from '../entities/phone-number.ts'
import { base64url, id, text, verificationCode } from '../entities/primitives.ts'
import { mfaMethodTypes } from '../entities/user.ts'
import { channelLimits } from '../limits.ts'
import { mfaLimits } from '../mfa.limits.ts'
import { walletSizes } from '../wallet.sizes.ts'
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

/** A step that says no more. */
const verifying = v.object({ ...step, ...mfa })

/** Of a method: what an enrolment of it begins with, and what it ends with. */
const totp = { method: v.literal('totp') }
const sms = { method: v.literal('sms'), phoneNumber }
const passkey = {
  method: v.literal('passkey'),
  credentialIds: v.pipe(v.array(base64url), v.maxLength(mfaLimits.maxPasskeys)),
}
const code = { code: verificationCode }

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

/**
 * `[address, typedData, digest]`: what the user was shown, as JSON, and the hash that the dialog made of it. The vault
 * makes its own from what it was given, and signs where both are one.
 */
export const signTypedDataParamsSchema = v.tuple([
  evmAddress,
  v.pipe(v.string(), v.maxLength(channelLimits.maxSignRequestBytes)),
  v.pipe(hex, v.length(2 + 64)),
])

/** `[transaction, address]`: the transaction without its signature, as it is serialized for the hash. */
export const signTransactionParamsSchema = v.tuple([
  v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes)),
  evmAddress,
])

/** A request as it is passed in, a shape a method. */
export const walletRpcRequestSchema = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: personalSignParamsSchema }),
  v.object({ method: v.literal('eth_signTypedData_v4'), params: signTypedDataParamsSchema }),
  v.object({ method: v.literal('eth_signTransaction'), params: signTransactionParamsSchema }),
])

export type WalletRpcRequest = v.InferOutput<typeof walletRpcRequestSchema>

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
    'mfa:verify': verifying,
    'mfa:init-enrollment': v.variant('method', [
      v.object({ ...step, ...totp, ...mfa }),
      v.object({ ...step, ...sms, ...mfa }),
    ]),
    'mfa:submit-enrollment': v.variant('method', [
      v.object({ ...step, ...totp, ...code, ...mfa }),
      v.object({ ...step, ...sms, ...code, ...mfa }),
      v.object({ ...step, ...passkey, ...mfa }),
    ]),
    'mfa:unenroll': v.object({ ...step, method: v.picklist(['totp', 'sms']), ...mfa }),
    'mfa:clear': v.object({ userId: id }),
    'account:delete': verifying,
  },
  answers: { 'iframe:ready': empty },
} as const satisfies Hears
export type HeardByFrame = typeof heardByFrame
