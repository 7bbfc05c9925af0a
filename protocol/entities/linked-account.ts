import * as v from 'valibot'
import { accountSchemas, hostAccountSchemas } from './login-methods.ts'
import { text } from './primitives.ts'
import { account } from './wallets/wallet-account.ts'

const customAccount = account('custom_auth', { customUserId: text })

/** An account that a login method proves, or that the app's own token issuer identifies. */
export const linkedAccountSchema = v.variant('type', [...accountSchemas, customAccount])
export type LinkedAccount = v.InferOutput<typeof linkedAccountSchema>
export type LinkedAccountType = LinkedAccount['type']

/** A linked account as a host page receives it. The server's flat `providerAppId` becomes `providerApp.id`. */
export const hostAccountSchema = v.variant('type', [...hostAccountSchemas, customAccount])
export type HostAccount = v.InferOutput<typeof hostAccountSchema>

export function toHostAccount(account: LinkedAccount | HostAccount): HostAccount {
  if (!('providerAppId' in account)) return account
  const { providerAppId, ...shared } = account
  return { ...shared, providerApp: { id: providerAppId } }
}
