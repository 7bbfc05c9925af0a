/** Renders docs/reference/accounts.md from the schemas of users and linked accounts. */
import type * as v from 'valibot'
import { hostAccountSchema } from '../entities/linked-account.ts'
import { findLoginMethodByAccount, loginMethodRows, loginMethods } from '../entities/login-methods.ts'
import { type User, userSchema } from '../entities/user.ts'
import { markdownPage, markdownTable } from './markdown.ts'

const userFields: { [Field in keyof Required<User>]: string } = {
  id: 'The id of the user in this app, as in `sub` of the access token.',
  createdAt: 'The time of the first login.',
  displayName:
    'A name for greetings: the e-mail address, the phone number, the name at a provider, or a short wallet address. It is not unique.',
  email: '`{ address }` of the linked e-mail account.',
  phone: '`{ number }` of the linked phone account.',
  wallet: 'The embedded Ethereum wallet, or the first linked wallet.',
  farcaster: '`{ fid, signerPublicKey }` of the linked Farcaster account.',
  linkedAccounts: 'Every account of the user, as below.',
  mfaMethods: 'The second factors of the user: `totp`, `sms`, `passkey`.',
  hasAcceptedTerms: 'Whether the user has accepted the terms of the app.',
}

const commonFields = ['type', 'verifiedAt', 'firstVerifiedAt', 'latestVerifiedAt']

/** Returns the names of the fields, with `?` after those that an account may lack. */
const listFields = (entries: v.ObjectEntries) =>
  Object.entries(entries).map(([name, { type }]) => `\`${name}${type === 'exact_optional' ? '?' : ''}\``)

const findMethod = (type: string) =>
  loginMethods.find((method) => loginMethodRows[method].account.entries.type.literal === type)

export function renderAccounts(): string {
  return markdownPage(
    'Users and accounts',
    '`getUser()`, `login()` and the events return a `User`. The types are exported by `@latchkey/loader`. Times are seconds since 1970, and `?` marks fields that may be missing.',
    '## User',
    markdownTable(
      ['field', 'meaning'],
      Object.keys(userSchema.entries).map((field) => {
        const [name = ''] = listFields({ [field]: userSchema.entries[field as keyof User] })
        return [name, userFields[field as keyof User]]
      }),
    ),
    '## Linked accounts',
    'Every account has `type`, `verifiedAt`, `firstVerifiedAt` and `latestVerifiedAt`. A user has at most one account of a type unless the table has another limit.',
    markdownTable(
      ['type', 'login method', 'other fields', 'limit'],
      hostAccountSchema.options.map(({ entries }) => {
        const type = entries.type.literal
        const fields = listFields(entries).filter((name) => !commonFields.includes(name.replaceAll('`', '')))
        const method = findMethod(type)
        return [
          `\`${type}\``,
          method === undefined ? '' : `\`${method}\``,
          fields.join(', '),
          String(findLoginMethodByAccount(type)?.maxPerUser ?? 1),
        ]
      }),
    ),
    'The login method of `cross_app` is `latchkey:<app id>`, and that of `oidc` is `oidc:<id>`. A user has at most one account of each other app and of each issuer. `custom_auth` accounts come from your own token issuer.',
  )
}
