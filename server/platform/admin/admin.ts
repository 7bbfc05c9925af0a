/** The Hono application of the Admin API, and the functions of its commands. */
import { product } from '@latchkey/protocol'
import { adminErrors, adminPrefix } from '@latchkey/protocol/admin'
import { Hono } from 'hono'
import type { ServerContext } from '../../kernel/context.ts'
import { type AdminEndpoint, AdminError } from '../../kernel/http/admin-endpoint.ts'
import type { HttpEnv } from '../../kernel/http/mount.ts'
import { observeCalls } from '../../kernel/http/observe-calls.ts'
import { commonHeaders } from '../../kernel/http/pages/headers.ts'
import { randomId } from '../../kernel/ids.ts'
import { currentCall } from '../../kernel/telemetry/current-call.ts'
import { createAdminCalls } from './calls.ts'
import { mountDashboard } from './dashboard.ts'
import { mountSignIn } from './operators/sign-in.ts'
import { problemResponse, toAdminError } from './problem.ts'
import { nameRoute } from './route-names.ts'

export { type AuditHead, appendAdminAudit, verifyAuditChains } from './audit-chain.ts'
export { assertEveryApp, assertMatches, digestObject } from './calls.ts'
export {
  AdminKeyRefusal,
  commandOperator,
  createAdminKey,
  listAdminKeys,
  revokeAdminKey,
} from './keys.ts'
export { adminServerLimits } from './limits.ts'
export { forbiddenEffects } from './never.ts'
export { operatorLimits } from './operators/limits.ts'
export {
  changeOperatorOidc,
  findOperatorOidc,
  prepareOperatorOidc,
} from './operators/oidc-settings.ts'
export {
  admitOperatorByCommand,
  getSignIn,
  inviteOperator,
  listOperators,
  OperatorRefusal,
  revokeOperatorByCommand,
} from './operators/operators.ts'
export { formatPosition, formatTime, parsePosition, parseSeconds } from './pages.ts'
export { apply, approve, cancel, describeProposal, findProposal, readProposalsPage } from './proposals.ts'

/** Serves the Admin API and the dashboard. The public application has none of these routes. */
export function createAdminApp(context: ServerContext, endpoints: AdminEndpoint[]): Hono<HttpEnv> {
  const { log } = context
  const hono = new Hono<HttpEnv>()
  const requestId = () => currentCall()?.requestId ?? randomId()

  hono.use(commonHeaders)
  hono.use(observeCalls(context))
  hono.use(async (c, next) => {
    c.header(product.headers.requestId, requestId())
    await next()
  })
  hono.onError((error, c) => {
    const failure = toAdminError(error)
    if (adminErrors[failure.code].status >= 500) {
      log.error({ error: failure.cause ?? error, pattern: c.get('pattern'), code: failure.code }, 'failed')
    }
    return problemResponse(c, failure, requestId())
  })
  hono.notFound((c) => problemResponse(c, new AdminError('not_found', 'There is nothing here'), requestId()))

  // Describes this release only, so it needs no key. Its builder is loaded with the first request.
  hono.get(`${adminPrefix}/openapi.json`, async (c) => {
    c.set('pattern', `${adminPrefix}/openapi.json`)
    const { describeAdminApi } = await import('./openapi.ts')
    return c.json(describeAdminApi())
  })

  const answer = createAdminCalls(context)
  const methods = Map.groupBy(endpoints, ({ route }) => toPattern(route.path))
  for (const [pattern, all] of methods) {
    for (const endpoint of all) {
      const name = nameRoute(endpoint.route)
      hono.on(endpoint.route.method, pattern, (c) => {
        c.set('pattern', pattern)
        return answer(c, name, endpoint, requestId())
      })
    }
    hono.all(pattern, (c) => {
      c.set('pattern', pattern)
      c.header('allow', all.map(({ route }) => route.method).join(', '))
      throw new AdminError('method_not_allowed', `This path has no ${c.req.method}`)
    })
  }
  if (context.config.adminOrigin !== undefined) {
    mountSignIn(hono, context, requestId)
    mountDashboard(hono, context.config)
  }
  return hono
}

const toPattern = (path: string) => adminPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1')
