/** The user's own wallet signs. */
import * as v from 'valibot'
import { signUiSchema } from '../../entities/wallet-request.ts'
import { channelLimits } from '../../limits.ts'
import type { MoreRows } from './row.ts'

/** As the dialog writes it; an editor is told so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>

export const signCalls = {
  signMessage: {
    policy: 'needs-user',
    // What can not be signed has a code of its own.
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
  signSolanaMessage: {
    policy: 'needs-user',
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
  signTypedData: {
    policy: 'needs-user',
    /** As JSON, which says what is a number and what is a text; it is read where it is shown. */
    input: v.object({ data: v.string(), ui: v.exactOptional(signUiSchema) }),
    maxBytes: channelLimits.maxTypedDataBytes,
  },
} as const satisfies MoreRows

const signed = v.object({ signature: hex(), address: hex() })
export const signAnswers = {
  signMessage: signed,
  /** Both in base58. */
  signSolanaMessage: v.object({ signature: v.string(), address: v.string() }),
  signTypedData: signed,
} as const
