import * as v from 'valibot'
import { accountSchemas } from './login-methods.ts'
import { text } from './primitives.ts'
import { account } from './wallets/wallet-account.ts'

/** An account of a user, by the login method that proves it, or as the issuer of an app names its user. */
export const linkedAccountSchema = v.variant('type', [
  ...accountSchemas,
  account('custom_auth', { customUserId: text }),
])
export type LinkedAccount = v.InferOutput<typeof linkedAccountSchema>
export type LinkedAccountType = LinkedAccount['type']
