import type { ServedBy } from '../channel/contract.ts'
import type { HeardByFrame } from './heard-by-frame.ts'
import type { HeardByWalletParent } from './heard-by-parent.ts'

export * from './calls.ts'
export * from './confirmation.ts'
export * from './errors.ts'
export * from './heard-by-frame.ts'
export * from './heard-by-parent.ts'
export * from './operations.ts'
export * from './password.ts'
export * from './proof.ts'
export * from './purposes.ts'
export * from './recovery.ts'
export * from './rpc-requests.ts'
export * from './shares.ts'
export * from './typed-data.ts'

export type WalletFrameCalls = ServedBy<HeardByFrame, HeardByWalletParent>
