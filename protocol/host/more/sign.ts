/** The user's own wallet signs. */
import * as v from 'valibot'
import { signUiSchema } from '../../entities/wallet-request.ts'
import type { MoreRows } from './row.ts'

/** As the dialog writes it; an editor is told so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>

export const signCalls = {
  signMessage: {
    policy: 'needs-user',
    // What can not be signed has a code of its own.
    input: v.object({ message: v.unknown(), ui: v.exactOptional(signUiSchema) }),
  },
} as const satisfies MoreRows

export const signAnswers = { signMessage: v.object({ signature: hex(), address: hex() }) } as const
