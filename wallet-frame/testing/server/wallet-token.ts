/** The claims of the test server's tokens. */
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'

export type WalletTokenClaims = {
  sub: string
  publicKey: string
  operation: OperationStep
  purpose: WalletPurpose
  /** The digest that may be signed: that of `hello`, unless a test changes it. */
  digest?: string
}
