/** What a token of the test's server says. */
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'

export type WalletTokenClaims = {
  sub: string
  publicKey: string
  operation: OperationStep
  purpose: WalletPurpose
  /** What may be signed: `hello`, where a test does not say. */
  digest?: string
}
