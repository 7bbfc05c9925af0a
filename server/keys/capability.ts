import type { Capability } from '../capability.ts'
import { page } from '../http/page.ts'
import { keyLimits } from '../limits.ts'

export const keys: Capability = {
  name: 'keys',
  pages: [
    page({
      site: 'dialog',
      method: 'GET',
      path: '/.well-known/jwks.json',
      openedBy: 'anybody',
      headers: {
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': `public, max-age=${keyLimits.jwksMaxAgeSeconds}`,
      },
      answer: async (_call, { keyring }) => ({ type: 'json', value: await keyring.publicJwks() }),
    }),
  ],
}
