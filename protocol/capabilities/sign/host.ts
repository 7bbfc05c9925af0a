/** The user's own wallet signs. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/chain-primitives.ts'
import { signUiSchema } from '../../entities/wallet-request.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { MoreRows } from '../../rows/host-call.ts'

/** As the dialog writes it; an editor is told so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>

/** Of a wallet of another app that the user has linked; the embedded wallet signs where there is none. */
const address = v.exactOptional(evmAddress)

export const signCalls = {
  signMessage: {
    policy: 'needs-user',
    // What can not be signed has a code of its own.
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema), address }),
  },
  signSolanaMessage: {
    policy: 'needs-user',
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
  signTypedData: {
    policy: 'needs-user',
    /** As JSON, which says what is a number and what is a text; it is read where it is shown. */
    input: v.object({ data: v.string(), ui: v.exactOptional(signUiSchema), address }),
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
