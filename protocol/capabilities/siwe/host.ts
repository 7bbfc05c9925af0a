/** Wallets that people bring. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/chain-primitives.ts'
import type { ConnectedWallet } from '../../entities/linked-account.ts'
import type { MoreRows } from '../../rows/host-call.ts'
import { type Loosely, looseWallet } from '../../rows/lenient.ts'

export const siweCalls = {
  connectWallet: { policy: 'needs-user', input: v.object({ suggestedAddress: v.exactOptional(evmAddress) }) },
} as const satisfies MoreRows

export const siweAnswers = {
  connectWallet: v.object({ wallet: looseWallet }) as unknown as Loosely<{ wallet: ConnectedWallet }>,
} as const
