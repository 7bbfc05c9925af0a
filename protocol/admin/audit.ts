import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { AdminRoutes } from './route.ts'

const sha256 = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))

export const auditRoutes = {
  readAuditHead: {
    method: 'GET',
    path: '/audit/head',
    scopes: ['audit:read'],
    effect: 'reads',
    status: 200,
    summary:
      'returns the last entry of each audit chain that the key may see. Store it elsewhere, to detect missing entries',
    output: v.object({
      data: v.array(
        v.object({
          /** The app, or null for calls without an app. */
          appId: v.nullable(text),
          sequence: v.number(),
          hash: sha256,
        }),
      ),
    }),
    errors: [],
  },
} as const satisfies AdminRoutes
