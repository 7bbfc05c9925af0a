/** The cookie that binds an authorization request to the browser that began it. */
import { createHash } from 'node:crypto'
import { product } from '@latchkey/protocol'

const nameFor = (interaction: string) =>
  `__Host-${product.key}-openid-${createHash('sha256').update(interaction).digest('base64url').slice(0, 16)}`

/** Creates the cookie. The finishing form is posted from the wallet origin, hence `SameSite=None`. */
export const browserCookie = (interaction: string, secret: string, maxAge: number): string =>
  `${nameFor(interaction)}=${secret}; Max-Age=${maxAge}; Path=/; Secure; HttpOnly; SameSite=None`
export const browserCookieName = nameFor
