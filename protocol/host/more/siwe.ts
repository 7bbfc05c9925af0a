/** Wallets that people bring. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/chain-primitives.ts'
import type { ConnectedWallet } from '../../entities/linked-account.ts'
import { type Loosely, looseWallet } from '../loosely.ts'
import type { MoreRows } from './row.ts'

export const siweCalls = {
  connectWallet: { policy: 'needs-user', input: v.object({ suggestedAddress: v.exactOptional(evmAddress) }) },
} as const satisfies MoreRows

export const siweAnswers = {
  connectWallet: v.object({ wallet: looseWallet }) as unknown as Loosely<{ wallet: ConnectedWallet }>,
} as const
