/** What a browser is known by that began an authorization request: a consent counts in it alone. */
import { createHash } from 'node:crypto'
import { product } from '@latchkey/protocol'

const nameFor = (interaction: string) =>
  `__Host-${product.key}-openid-${createHash('sha256').update(interaction).digest('base64url').slice(0, 16)}`

/** The answer to the form that ends it comes from a page of the wallet's origin, hence `SameSite=None`. */
export const browserCookie = (interaction: string, secret: string, maxAge: number): string =>
  `${nameFor(interaction)}=${secret}; Max-Age=${maxAge}; Path=/; Secure; HttpOnly; SameSite=None`
export const browserCookieName = nameFor
