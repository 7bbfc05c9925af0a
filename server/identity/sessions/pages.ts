import { page } from '../../kernel/http/page.ts'
import { keyLimits } from '../../kernel/limits.ts'

/** What the backend of a host verifies tokens with. */
export const jwks = page({
  // A backend may reach this server by a name of its own network.
  site: 'any',
  method: 'GET',
  path: '/.well-known/jwks.json',
  openedBy: 'anybody',
  headers: {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${keyLimits.jwksMaxAgeSeconds}`,
  },
  answer: async (_call, { keyring }) => ({ type: 'json', value: await keyring.publicJwks() }),
})
