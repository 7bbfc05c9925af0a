/** The hook `login.before`: a backend of the operator may deny a login. `platform/hooks` asks it. */
import type { LinkedAccountType } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import type { Trx } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import type { ProvenMethod } from '../counted.ts'

export type LoginQuestion = {
  appId: string
  method: ProvenMethod
  account: { type: LinkedAccountType; identifier: string; profile?: Readonly<Record<string, unknown>> }
  /** Returns the user of the account, or undefined if the login would create one. */
  findUser: () => Promise<string | undefined>
}
export type LoginDenial = { reason: string | null }

/** Returns undefined if the login may proceed. Called in its transaction, after the account was proven. */
type LoginHook = (
  trx: Trx,
  context: ServerContext,
  question: LoginQuestion,
) => Promise<LoginDenial | undefined>

export const loginHook = registryKey<LoginHook>('the hook of logins')
