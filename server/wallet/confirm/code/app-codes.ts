/** Codes of authenticator apps, for what is no step of a wallet: the method brings them, whoever asks knows none of it. */
import type { ServerContext } from '../../../kernel/context.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { registryKey } from '../../../kernel/registry.ts'

export type TypedCode = {
  appId: string
  userId: string
  /** What it is typed for: its tries are counted together, and with all of the user. */
  id: string
  code: string
}

export type AppCodes = {
  /** Since when one verifies this user; undefined where none does. */
  since: (reader: Reader, userId: string) => Promise<number | undefined>
  /** A try is counted before it is compared, and a code that was right is used up. */
  use: (context: ServerContext, typed: TypedCode) => Promise<boolean>
}

export const appCodes = registryKey<AppCodes>('the codes of authenticator apps')
