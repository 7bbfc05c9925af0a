/** What wallets ask of the second factors of their user, and know nothing else about. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'

type AskFactors<Answer> = (
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  caller: WalletToken,
  token: string | undefined,
) => Promise<Answer>

/** Both throw where a verification is due that was not brought, or that is not valid for this step. */
export type SecondFactors = {
  /** Uses the verification up, in the transaction of what it is for. Undefined for a user who has no method. */
  use: AskFactors<MfaMethodType | undefined>
  /** The verification stays for what it is for. */
  require: AskFactors<void>
}

export const secondFactors = registryKey<SecondFactors>('the second factors of users')
