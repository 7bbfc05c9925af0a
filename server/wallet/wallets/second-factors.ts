/** The port through which wallets verify second factors. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'

type VerifyFactor<Result> = (
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
) => Promise<Result>

/** Both methods throw if a required verification is missing or not valid for this step. */
export type SecondFactors = {
  /** Consumes the verification in the caller's transaction. Returns undefined for a user without a second factor. */
  use: VerifyFactor<MfaMethodType | undefined>
  /** Verifies without consuming. */
  require: VerifyFactor<void>
}

export const secondFactors = registryKey<SecondFactors>('the second factors of users')
