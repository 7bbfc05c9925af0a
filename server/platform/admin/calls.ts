/**
 * Runs an admin call. Checks in this order: browser, key or session, address, quota, app, scope, input, confirmation.
 * Each call of a known caller leaves one audit entry, a refused one too. The entry of a change is written in the
 * transaction of the change.
 */
import { hash } from 'node:crypto'
import { toWire } from '@latchkey/protocol'
import { type AdminRoute, adminErrors, adminLimits, scopesOfRole } from '@latchkey/protocol/admin'
import type { Context } from 'hono'
import { consume } from '../../kernel/attempts/attempts.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { createAddressFinder } from '../../kernel/http/addresses/client-address.ts'
import type { parseAddress } from '../../kernel/http/addresses/networks.ts'
import { toCountedAddress } from '../../kernel/http/addresses/networks.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminCaller,
  type AdminEndpoint,
  AdminError,
  type AdminStream,
} from '../../kernel/http/admin-endpoint.ts'
import type { HttpEnv } from '../../kernel/http/mount.ts'
import { hashRequest } from '../../kernel/http/replay/request-id.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { setCallApp } from '../../kernel/telemetry/current-call.ts'
import { type AdminAuditEntry, appendAdminAudit } from './audit-chain.ts'
import { adminEnvironment } from './environment.ts'
import {
  claimAnswer,
  type IdempotentRequest,
  parseIdempotencyKey,
  type StoredAnswer,
  storeAnswer,
} from './idempotency.ts'
import { openUpload, parseBody, parseParams, parseQuery } from './input.ts'
import { type AdminKey, acceptsAddress, findPresentedKey, markKeyUsed } from './keys.ts'
import { adminServerLimits } from './limits.ts'
import { requireConfirmation } from './operators/confirmation.ts'
import { operatorActor } from './operators/operators.ts'
import { assertFromDashboard, getSessionToken, requireSession } from './operators/session.ts'
import { toAdminError } from './problem.ts'

type ClientAddress = ReturnType<typeof parseAddress>
type Result = StoredAnswer & { isReplay: boolean }

export function createAdminCalls(context: ServerContext) {
  const { config, clock, log } = context
  const findAddress = createAddressFinder(config.trustedProxies)
  const storesAddresses = adminEnvironment.read(config).ADMIN_AUDIT_ADDRESSES === 'true'

  return async (c: Context<HttpEnv>, name: string, endpoint: AdminEndpoint, requestId: string) => {
    const { route } = endpoint
    c.header('cache-control', 'no-store')
    const address = findAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
    const principal = await authenticate(c, context, address)
    let entry: Omit<AdminAuditEntry, 'status' | 'result'> = {
      chain: principal.appId ?? '',
      actor: principal.actor,
      operation: name,
      scope: route.scopes.join(' '),
      request_id: requestId,
      ...(storesAddresses && address && { address: address.toString() }),
    }
    try {
      await principal.assertUsable()
      const params = parseParams(c.req.param())
      const app = await findApp(context, principal, params.app)
      entry = {
        ...entry,
        chain: app || entry.chain,
        user_id: params.user ?? null,
        target: targetNames.map((name) => params[name]).find((id) => id !== undefined) ?? null,
      }
      assertScope(route, principal)
      const { id, operator, scopes, appId } = principal
      const caller: AdminCaller = { id, operator, scopes, appId }
      const file = route.upload && openUpload(route.upload, c)
      const { text, value } = file ? { text: '', value: undefined } : await parseBody(route, c)
      const query = parseQuery(route, c)
      const ifMatch = c.req.header('if-match')
      const call = { caller, appId: app, params, query, body: value, file, ifMatch } as AdminCall
      const idempotencyKey = parseIdempotencyKey(c.req.header('idempotency-key'))
      const requestHash = hashRequest([route.method, c.req.path, ifMatch, text])
      // The digest has no uploaded file. A repeated upload replaces the first one anyway.
      const request =
        idempotencyKey === undefined || file
          ? undefined
          : { keyId: principal.id, idempotencyKey, requestHash }
      if (route.needsConfirmation) await principal.confirm(requestHash)
      if ('stream' in endpoint) {
        const batches = await endpoint.stream(call, context)
        await context.transaction((trx) =>
          appendAdminAudit(trx, clock, { ...entry, status: route.status, result: 'ok' }),
        )
        c.header('content-type', 'application/x-ndjson')
        return c.body(toBody(encodeLines(context, endpoint, batches)), route.status)
      }
      const result = await run(context, endpoint, call, request, entry)
      if (result.isReplay) c.header('idempotent-replayed', 'true')
      const etag = toETag(result.digest)
      if (route.etag && etag !== undefined) c.header('etag', etag)
      return c.json(result.body as object, route.status)
    } catch (error) {
      const failure = toAdminError(error)
      // A flood of calls must not fill the log.
      if (failure.code !== 'too_many_requests') {
        const { status } = adminErrors[failure.code]
        await context
          .transaction((trx) => appendAdminAudit(trx, clock, { ...entry, status, result: failure.code }))
          .catch((cause: unknown) =>
            log.error({ error: cause, operation: name }, 'an audit entry is missing'),
          )
      }
      throw failure
    }
  }
}

/** The path parameters that name the target of a call in the audit log. */
const targetNames = [
  'session',
  'webhook',
  'requester',
  'proposal',
  'import',
  'provider',
  'descriptor',
  'operator',
  'key',
  'kind',
]

/** A caller of the Admin API. */
type Principal = AdminCaller & {
  /** The name in the audit log. */
  actor: string
  /** Throws for a caller that is known but may not call now. */
  assertUsable: () => Promise<void>
  /** Verifies a fresh confirmation of the call with this digest. */
  confirm: (call: string) => Promise<void>
}

const authenticate = (c: Context, context: ServerContext, address: ClientAddress): Promise<Principal> =>
  c.req.header('authorization') === undefined && getSessionToken(c) !== undefined
    ? authenticateOperator(c, context)
    : authenticateKey(c, context, address)

async function authenticateOperator(c: Context, context: ServerContext): Promise<Principal> {
  assertFromDashboard(c, context)
  const session = await requireSession(c, context)
  const { operator } = session
  const id = operatorActor({ email: operator.id })
  return {
    id,
    operator: operator.email.toLowerCase(),
    actor: operatorActor(operator),
    scopes: scopesOfRole(operator.role),
    appId: operator.app_id,
    assertUsable: () => consumeCall(context, id),
    confirm: (call) => requireConfirmation(c, context, session, call),
  }
}

async function authenticateKey(
  c: Context,
  context: ServerContext,
  address: ClientAddress,
): Promise<Principal> {
  rejectBrowsers(c)
  const { clock, db } = context
  const key = await findPresentedKey(db, c.req.header('authorization'))
  if (key === undefined) {
    const rejected = new AdminError('missing_or_invalid_key', 'Send Authorization: Bearer <admin key>')
    throw await countRejectedKey(context, address, rejected)
  }
  const { id, operator, scopes, appId } = key
  return {
    id,
    operator,
    actor: id,
    scopes,
    appId,
    async assertUsable() {
      const unusable = findKeyProblem(context, key, address)
      if (unusable) throw await countRejectedKey(context, address, unusable)
      await consumeCall(context, id)
      await markKeyUsed(db, clock, key)
    },
    confirm: async () => {},
  }
}

/** Browsers send these headers by themselves. A key must never be in a page, so no page may call. */
function rejectBrowsers(c: Context): void {
  if (c.req.header('origin') === undefined && c.req.header('sec-fetch-site') === undefined) return
  throw new AdminError('browser_not_allowed', 'Call the Admin API from a server')
}

/** Returns the error, or `too_many_requests` after many rejected keys from this address. */
async function countRejectedKey(
  { db, clock }: ServerContext,
  address: ClientAddress,
  rejected: AdminError,
): Promise<AdminError> {
  if (address === undefined) return rejected
  const key = `admin-rejected|${toCountedAddress(address)}`
  const quotas = [adminServerLimits.rejectedKeys]
  const allowance = await consume(db, { key, quotas, nowSeconds: nowSeconds(clock) })
  return allowance.allowed ? rejected : tooManyCalls(allowance.retryAfterSeconds)
}

const tooManyCalls = (retryAfterSeconds: number) =>
  new AdminError('too_many_requests', 'Retry later', { retryAfterSeconds })

function findKeyProblem(
  { clock }: ServerContext,
  key: AdminKey,
  address: ClientAddress,
): AdminError | undefined {
  if (key.revokedAt !== null) return new AdminError('key_revoked', 'Create another key')
  if (key.expiresAt <= nowSeconds(clock)) return new AdminError('key_expired', 'Create another key')
  if (acceptsAddress(key, address)) return undefined
  return new AdminError('address_not_allowed', 'The key lists other client addresses')
}

async function consumeCall({ db, clock }: ServerContext, id: string): Promise<void> {
  const quotas = [{ limit: adminLimits.callsPerMinute, windowSeconds: adminServerLimits.callsWindowSeconds }]
  const allowance = await consume(db, { key: `admin-key|${id}`, quotas, nowSeconds: nowSeconds(clock) })
  if (!allowance.allowed) throw tooManyCalls(allowance.retryAfterSeconds)
}

/** Returns the app of the path, or an empty text. */
async function findApp(
  context: ServerContext,
  caller: Pick<AdminCaller, 'appId'>,
  appId: string | undefined,
): Promise<string> {
  if (appId === undefined) return ''
  await assertApp(context, caller, appId)
  setCallApp(appId)
  return appId
}

/** Throws the same error for an unknown app and for one that the caller may not act on. */
export async function assertApp(
  { apps }: Pick<ServerContext, 'apps'>,
  caller: Pick<AdminCaller, 'appId'>,
  appId: string,
): Promise<void> {
  const isOther = caller.appId !== null && caller.appId !== appId
  if (isOther || (await apps.find(appId)) === undefined) {
    throw new AdminError('app_not_found', `The key has no app ${appId}`)
  }
}

export function assertEveryApp({ appId }: AdminCaller): void {
  if (appId !== null) throw new AdminError('key_of_one_app', 'Use a key that was created without --app')
}

function assertScope({ scopes }: AdminRoute, caller: Pick<AdminCaller, 'scopes'>): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return
  throw new AdminError('insufficient_scope', `The key needs the scope ${scopes.join(' or ')}`)
}

/** The status is sent already when a batch fails, so a failure only cuts the body off, which clients notice. */
async function* encodeLines(
  { log }: ServerContext,
  { route }: AdminEndpoint,
  batches: AdminStream<AdminRoute>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  try {
    for await (const batch of batches) {
      yield encoder.encode(batch.map((line) => `${JSON.stringify(toWire(route.output, line))}\n`).join(''))
    }
  } catch (error) {
    log.error({ error, path: route.path }, 'a stream ended early')
    throw error
  }
}

/** Reads the next chunk when the client has received the previous one. */
const toBody = (chunks: AsyncGenerator<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    },
  })

async function run(
  context: ServerContext,
  endpoint: Exclude<AdminEndpoint, { stream: unknown }>,
  call: AdminCall,
  request: IdempotentRequest | undefined,
  entry: Omit<AdminAuditEntry, 'status' | 'result'>,
): Promise<Result> {
  const { clock } = context
  const { route } = endpoint
  const record = (trx: Trx, result: string, answer?: AdminAnswer<AdminRoute>) =>
    appendAdminAudit(trx, clock, {
      ...entry,
      chain: answer?.appId ?? entry.chain,
      status: route.status,
      result,
      before_digest: answer?.before ?? null,
      after_digest: answer?.digest ?? null,
    })
  if ('read' in endpoint) {
    const answer = await endpoint.read(call, context)
    await context.transaction((trx) => record(trx, 'ok', answer))
    return { ...toStored(route, answer), isReplay: false }
  }
  const prepared = await endpoint.prepare?.(call, context)
  return context.transaction(async (trx) => {
    const earlier = request && (await claimAnswer(trx, clock, request))
    if (earlier) {
      await record(trx, 'replayed')
      return { ...earlier, isReplay: true }
    }
    const answer = await endpoint.change(trx, call, context, prepared)
    const stored = toStored(route, answer)
    if (request) await storeAnswer(trx, request, stored)
    await record(trx, 'ok', answer)
    return { ...stored, isReplay: false }
  })
}

const toStored = (route: AdminRoute, { output, digest }: AdminAnswer<AdminRoute>): StoredAnswer => ({
  body: toWire(route.output, output),
  digest: digest ?? null,
})

const toETag = (digest: string | null) => (digest === null ? undefined : `"${digest}"`)

/** Returns the digest of an object, for `ETag` and the audit log. */
export const digestObject = (value: unknown) => hash('sha256', JSON.stringify(value), 'base64url')

/** Throws unless the object is still the one that `If-Match` names. */
export function assertMatches({ ifMatch }: Pick<AdminCall, 'ifMatch'>, digest: string): void {
  if (ifMatch === undefined || ifMatch === '*') return
  const names = ifMatch.split(',').map((name) => name.trim())
  if (!names.includes(`"${digest}"`)) {
    throw new AdminError('precondition_failed', 'The object has changed since it was read')
  }
}
