/** An operator's own identity provider: a JWKS endpoint, and tokens with any claims that a test sends. */
import type { FaultSwitch } from '../faults.ts'
import { type Route, readJson, sendJson } from '../http.ts'
import type { Signer } from '../oauth/id-tokens.ts'

const isClaims = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const issuerRoutes = (signer: Signer, faults: FaultSwitch): readonly Route[] => [
  {
    method: 'GET',
    path: /^\/issuer\/jwks\.json$/,
    handle: async ({ response }) => {
      const fault = await faults.afterStall('issuer')
      if (fault === 'failing') return sendJson(response, { error: 'Sorry' }, 500)
      sendJson(response, signer.jwks())
    },
  },
  {
    method: 'POST',
    path: /^\/api\/issuer\/tokens$/,
    handle: async ({ request, response, url }) => {
      const claims = await readJson(request)
      if (!isClaims(claims)) return sendJson(response, { error: 'Send the claims as JSON' }, 400)
      sendJson(response, { token: signer.sign(claims, url.searchParams.has('wrongly')) })
    },
  },
]
