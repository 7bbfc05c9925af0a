/** Renders docs/reference/tokens.md from the schema of the access token's claims. */
import { type AccessTokenClaims, tokenTypes } from '../entities/session.ts'
import { serverLimits } from '../limits/server.ts'
import { walletLimits } from '../limits/wallet.ts'
import { markdownPage, markdownTable } from './markdown.ts'

export const claimMeanings: { [Name in keyof Required<AccessTokenClaims>]: string } = {
  sub: 'The id of the user. Store this one.',
  iss: 'The origin of the dialog, `DIALOG_ORIGIN`.',
  aud: 'The app id in a host token; the issuer in the others.',
  client_id: 'The app id, in every token.',
  sid: 'The id of the session. It ends with a logout.',
  scope: '`host`, `dialog` or `wallet`.',
  iat: 'When the token was issued, in seconds since 1970.',
  exp: 'When the token expires, in seconds since 1970.',
}

export function renderTokens(): string {
  const minutes = serverLimits.accessTokenSeconds / 60
  return markdownPage(
    'Token claims',
    'Access tokens are JWTs, signed by ES256. The public keys are at `<DIALOG_ORIGIN>/.well-known/jwks.json`. A host page gets host tokens only. [Backends](../backend.md) has the code that verifies one.',
    markdownTable(
      ['token', '`typ`', '`aud`', 'lifetime', 'allows'],
      [
        [
          'host',
          `\`${tokenTypes.host}\``,
          'the app id',
          `${minutes} minutes`,
          'identifies the user; every changing call rejects it',
        ],
        [
          'dialog',
          `\`${tokenTypes.dialog}\``,
          'the issuer',
          `${minutes} minutes`,
          'acts for the user, with a proof by the key of the browser',
        ],
        [
          'wallet',
          `\`${tokenTypes.wallet}\``,
          'the issuer',
          `${walletLimits.walletTokenSeconds} seconds`,
          'one step of one operation of one wallet, with a proof by the device key',
        ],
      ],
    ),
    '## Claims',
    markdownTable(
      ['claim', 'meaning'],
      Object.entries(claimMeanings).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    'Verify signature, `typ`, `iss`, `aud` and `exp`. A host token also has the claim `metadata` if the app lists keys of the [metadata of users](../admin-api.md#metadata). A token contains no address and no name: request the user from your own page, or from your own database by `sub`.',
  )
}
