/** Trying a request against the approval rules of an app. */
import * as v from 'valibot'
import { confirmationPlaces, confirmationReasons, usdText } from '../capabilities/confirm/wallet.ts'
import { text } from '../entities/primitives.ts'
import type { AdminRoutes } from './route.ts'

/** A decimal integer of up to 32 bytes. */
const wholeNumber = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,78}$/, 'must be a decimal integer'),
  v.check((digits) => BigInt(digits) < 2n ** 256n, 'must have at most 32 bytes'),
)
const evmAddress = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address'))
const hexBytes = v.pipe(v.string(), v.regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be bytes in hex'))

const transaction = v.object({
  chainId: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Absent for a contract creation. */
  to: v.exactOptional(evmAddress),
  /** In the smallest unit of the coin. */
  value: v.exactOptional(wholeNumber),
  data: v.exactOptional(hexBytes),
  /** The highest fee is their product. Without them, the fee is not counted. */
  gas: v.exactOptional(wholeNumber),
  maxFeePerGas: v.exactOptional(wholeNumber),
})

const limit = v.object({
  name: text,
  unit: v.picklist(['cents', 'times']),
  /** Null for no limit. */
  most: v.nullable(v.number()),
})

export const adminApprovalRoutes = {
  tryApproval: {
    method: 'POST',
    path: '/apps/{app}/approvals/try',
    scopes: ['apps:read'],
    effect: 'reads',
    status: 200,
    summary:
      'returns where a request would be approved and why, for a wallet that has spent nothing today. Nothing is stored. The body has one of `transaction`, `typed_data` and `message`',
    body: v.object({
      transaction: v.exactOptional(transaction),
      /** The JSON of `eth_signTypedData_v4`. */
      typedData: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
      /** The text of `personal_sign`, or bytes in hex. */
      message: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
      /** The address of the wallet. */
      from: v.exactOptional(evmAddress),
      /** The surface that the dialog would request: `silent` needs no screen, `unseen` detects no covers. */
      place: v.exactOptional(v.picklist(['silent', 'frame', 'unseen'])),
    }),
    output: v.object({
      place: v.picklist([...confirmationPlaces, 'refused']),
      /** Null for a refused request. */
      reason: v.nullable(v.picklist(confirmationReasons)),
      /** Why the request is not signed at all. */
      refusal: v.nullable(v.object({ code: text, message: text })),
      /** The value and the fee. Null if unknown or worthless. */
      usd: v.nullable(usdText),
      /** The daily limits that the request counts against. */
      limits: v.array(limit),
    }),
    errors: ['app_not_found', 'payload_too_large', 'unsupported_media_type'],
  },
} as const satisfies AdminRoutes
