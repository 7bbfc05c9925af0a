/** What a token of the test's server says. */
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'

export type WalletTokenClaims = {
  readonly sub: string
  readonly publicKey: string
  readonly operation: OperationStep
  readonly purpose: WalletPurpose
  /** What may be signed: `hello`, where a test does not say. */
  readonly digest?: string
}
