/**
 * Boundary 2: dialog and wallet frame. `parent` is the dialog, `child` the frame.
 *
 * `accessToken` is a wallet token: one minute, made by the server for the dialog's session and for one vault's
 * public key, which `vault:key` tells. Shares cross this boundary never, sealed or not.
 */
import * as v from 'valibot'
import type { CallRow, Contract } from './contract.ts'
import { recoveryMethods } from './entities/linked-account.ts'
import { evmAddress, id, text } from './entities/primitives.ts'
import { mfaMethodTypes } from './entities/user.ts'
import type { ErrorCode } from './errors.ts'
import { channelLimits, walletLimits } from './limits.ts'
import { sealingKey } from './sealing.ts'

const empty = v.object({})
const option = v.exactOptional

/** What a second factor adds to a call that asks for one. */
const mfa = {
  mfaMethod: option(v.picklist(mfaMethodTypes)),
  mfaCode: option(v.union([text, v.record(v.string(), v.unknown())])),
  relyingParty: option(text),
}

const recovery = {
  recoveryMethod: option(v.picklist(recoveryMethods)),
  recoveryPassword: option(text),
  recoveryAccessToken: option(text),
  recoveryPin: option(text),
}

const everyCall = ['error', 'invalid_request_arguments', 'vault_key_unknown', 'too_many_requests'] as const
const call = <const Row extends Omit<CallRow, 'policy' | 'deadlineMs' | 'errors'>, const E extends ErrorCode>(
  row: Row & { readonly deadlineMs?: number; readonly errors?: readonly E[] },
) => ({
  policy: 'dialog-only' as const,
  deadlineMs: walletLimits.callMs as number,
  ...row,
  errors: [...everyCall, ...(row.errors ?? [])] as readonly ErrorCode[],
})

/** Methods passed in bare. Those that are no capability yet answer `not_supported`. */
export const rpcMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sign',
  'eth_populateTransactionRequest',
  'eth_signTransaction',
] as const

export const walletRpcRequestSchema = v.object({
  method: v.picklist(rpcMethods),
  params: v.array(v.unknown()),
})
/** `[message, address]`, as EIP-1193 providers send it; the dialog sends every text as hex, which reads one way only. */
export const personalSignParamsSchema = v.tuple([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(2 + 2 * walletLimits.maxMessageBytes)),
  evmAddress,
])

export const walletContract = {
  name: 'wallet',
  parties: { parent: 'dialog', child: 'wallet frame' },
  originRule: {
    parent: 'takes messages from its wallet frame only, and from the exact wallet origin',
    child:
      'takes messages from its parent window only, and from the exact dialog origin; refuses to start under any other chain of ancestors',
  },
  parent: {
    'iframe:ready': call({
      says: 'The frame can serve calls.',
      input: empty,
      output: empty,
    }),
  },
  child: {
    'iframe:ready': call({
      says: 'Answered when the frame can serve calls.',
      input: empty,
      output: empty,
    }),
    'vault:key': call({
      says: 'The public key of the present vault, for the server to bind a wallet token to.',
      input: empty,
      output: v.object({ publicKey: sealingKey }),
    }),
    'wallet:create': call({
      says: 'Makes a wallet, or recovers the one that another tab made meanwhile. Identical calls at once are one.',
      deadlineMs: walletLimits.createMs,
      input: v.object({ accessToken: text, ...recovery }),
      output: v.object({ address: evmAddress }),
      errors: ['disallowed_recovery_method', 'share_mismatch', 'device_storage_unavailable'],
    }),
    'wallet:connect': call({
      says: 'Tells whether this device holds its share of the wallet.',
      input: v.object({ accessToken: text, address: evmAddress }),
      output: v.object({ address: evmAddress }),
      errors: ['wallet_not_on_device', 'share_mismatch', 'device_storage_unavailable'],
    }),
    'wallet:recover': call({
      says: 'Makes the share of this device from the other two, after the address was checked.',
      input: v.object({
        accessToken: text,
        address: evmAddress,
        imported: option(v.boolean()),
        ...recovery,
        ...mfa,
      }),
      output: v.object({ address: evmAddress }),
      errors: [
        'invalid_recovery_pin',
        'missing_or_invalid_mfa',
        'disallowed_recovery_method',
        'share_mismatch',
        'device_storage_unavailable',
      ],
    }),
    'wallet:rpc': call({
      says: 'Runs one request with the wallet. The share of the server is fetched for it, and nothing is kept.',
      maxBytes: channelLimits.maxTypedDataBytes,
      input: v.object({
        accessToken: text,
        address: evmAddress,
        request: walletRpcRequestSchema,
        requesterAppId: option(id),
        ...mfa,
      }),
      output: v.object({ address: evmAddress, response: v.object({ method: text, data: text }) }),
      errors: [
        'wallet_not_on_device',
        'missing_or_invalid_mfa',
        'share_mismatch',
        'not_supported',
        'insufficient_funds',
      ],
    }),
    'mfa:clear': call({
      says: 'Sent on logout: forgets what the frame holds of the second factor.',
      input: v.object({ userId: id }),
      output: empty,
    }),
  },
} as const satisfies Contract
export type WalletContract = typeof walletContract

/** What a caller does about an error of the frame. */
export const isRateLimit = (message: string) => message.includes('code 429')
export const isMfaCancel = (message: string) => message === 'MFA canceled'
