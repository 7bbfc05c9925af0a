import * as v from 'valibot'
import { appId, id, text } from '../entities/primitives.ts'
import { limitInQuery, time } from './fields.ts'
import type { AdminRoutes } from './route.ts'

const sha256 = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
/** The app of the entries, or null for calls without an app. */
const chain = v.nullable(text)

const entry = v.object({
  appId: chain,
  /** Starts at 1 in each app and has no gaps. */
  sequence: v.number(),
  at: time,
  /** The id of an admin key, or `command`. */
  actor: text,
  /** The name of a call, or the event of a command. */
  event: text,
  /** The scopes of which the call needs one, separated by spaces. */
  scope: text,
  userId: v.nullable(text),
  /** Another object of the call, such as a session or an admin key. */
  target: v.nullable(text),
  status: v.number(),
  /** An error code, `ok` or `replayed`. */
  result: text,
  requestId: text,
  beforeDigest: v.nullable(sha256),
  afterDigest: v.nullable(sha256),
  address: v.nullable(text),
  /** The hash of the previous entry, or empty for the first one. */
  prev: text,
  hash: sha256,
})
export type AdminAuditObject = v.InferOutput<typeof entry>

const sequenceInQuery = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))
const app = v.exactOptional(appId)

const read = { method: 'GET', scopes: ['audit:read'], effect: 'reads', status: 200 } as const

export const auditRoutes = {
  listAudit: {
    ...read,
    path: '/audit',
    summary:
      'lists the audit entries of `app`, newest first. Without `app`, it lists those of the app of the key, or those of calls without an app',
    query: v.object({
      app,
      event: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Za-z_.]{1,64}$/))),
      user: v.exactOptional(id),
      after: v.exactOptional(sequenceInQuery),
      limit: v.exactOptional(limitInQuery),
    }),
    output: v.object({ data: v.array(entry), next: v.nullable(text) }),
    errors: ['app_not_found'],
  },
  streamAudit: {
    ...read,
    path: '/audit/stream',
    stream: true,
    summary:
      'streams the audit entries of one app, oldest first, up to the entry of the call itself. Continue with the last `sequence` as `after`',
    query: v.object({ app, after: v.exactOptional(sequenceInQuery) }),
    output: entry,
    errors: ['app_not_found'],
  },
  readAuditHead: {
    ...read,
    path: '/audit/head',
    summary:
      'returns the last entry of each audit chain that the key may see. Store it elsewhere, to detect missing entries',
    output: v.object({
      data: v.array(
        v.object({
          appId: chain,
          sequence: v.number(),
          hash: sha256,
          signedAt: time,
          /** The key of the key set at `/.well-known/jwks.json` that verifies the signature. */
          keyId: text,
          /** ES256 over the lines `latchkey-audit-head`, app id, sequence, hash and time. */
          signature: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/)),
        }),
      ),
    }),
    errors: [],
  },
} as const satisfies AdminRoutes
