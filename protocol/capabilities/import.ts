/** The user brings a wallet along. */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { MoreRows } from '../rows/host-call.ts'
import { looseWallet } from '../rows/lenient.ts'

export const importCalls = {
  importWallet: {
    policy: 'needs-user',
    /** Without a key the user types it, on a page that no host can read. */
    input: v.object({ privateKey: v.exactOptional(text) }),
  },
} as const satisfies MoreRows

export const importAnswers = { importWallet: v.object({ wallet: looseWallet }) } as const
