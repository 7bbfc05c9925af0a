/** OAuth providers: their names, marks and accounts. */
import {
  type LinkedAccount,
  type LinkedAccountType,
  type OidcProvider,
  type SocialProvider,
  socialProviderRows,
} from '@latchkey/protocol'
import type { OidcConnection } from '@latchkey/protocol/api'
import { socialProviderMarks } from '../../ui/marks/brands/social-providers.ts'
import type { MarkDrawing } from '../../ui/marks/mark.tsx'
import type { ProviderLook } from '../../window-login/entry.tsx'

export type { OidcProvider, SocialProvider }

/** A provider of the OAuth flow: a built-in one, or an OpenID provider of the app. */
export type OAuthProvider = {
  method: SocialProvider | OidcProvider
  look: ProviderLook
  accountType: LinkedAccountType
  /** Returns the subject of an account at this provider, or undefined for another account. */
  subjectOf: (account: LinkedAccount) => string | undefined
  /** Sent with the subject to identify an account. */
  issuer?: string
}

export const lookOf = (provider: SocialProvider): ProviderLook => ({
  title: socialProviderRows[provider].title,
  mark: socialProviderMarks[provider],
})

export function socialProvider(provider: SocialProvider): OAuthProvider {
  const accountType = `${provider}_oauth` as const
  return {
    method: provider,
    look: lookOf(provider),
    accountType,
    subjectOf: (account) => (account.type === accountType ? account.subject : undefined),
  }
}

/** A neutral mark, because the dialog loads no images from providers. */
const openIdMark: MarkDrawing = [
  {
    stroke: 'currentColor',
    width: 1.5,
    path: 'M3 5.5h14v9H3ZM7 11.8c.4-1.6 3.6-1.6 4 0M7.8 8.6a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0M13 8.5h2M13 11.5h2',
  },
]

export const openIdProvider = ({ provider, name, issuer }: OidcConnection): OAuthProvider => ({
  method: provider,
  look: { title: name, mark: openIdMark },
  accountType: 'oidc',
  subjectOf: (account) =>
    account.type === 'oidc' && account.issuer === issuer ? account.subject : undefined,
  issuer,
})
