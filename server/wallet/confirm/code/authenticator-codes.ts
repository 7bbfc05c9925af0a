/** The port through which confirmations verify authenticator codes. The TOTP capability implements it. */
import type { ServerContext } from '../../../kernel/context.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { registryKey } from '../../../kernel/registry.ts'

export type EnteredCode = {
  appId: string
  userId: string
  /** The request that the code approves. Attempts are limited for each request and for the user. */
  id: string
  code: string
}

export type AuthenticatorCodes = {
  /** Returns when the user enrolled an authenticator app, or undefined. */
  since: (reader: Reader, userId: string) => Promise<number | undefined>
  /** Counts the attempt before the comparison and consumes a correct code. */
  use: (context: ServerContext, entered: EnteredCode) => Promise<boolean>
}

export const authenticatorCodes = registryKey<AuthenticatorCodes>('the codes of authenticator apps')
