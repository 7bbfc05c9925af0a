import { LatchkeyError } from '@latchkey/protocol'
import { crossAppLimits, providerRoutes } from '@latchkey/protocol/api'
import { type Capability, port } from '../../../kernel/capability.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { decideAnswer, lookAt, type Outcome, readForPage, requireAnswerable } from './answer.ts'
import { connectedApps, connectedAppsPort } from './connected-apps.ts'
import { requestCalls } from './open-calls.ts'
import { requestMigrations } from './tables.ts'

const requestEndpoints: readonly Endpoint[] = [
  endpoint(providerRoutes.readCrossAppRequest, ({ caller, body }, context) =>
    readForPage(context, caller, body.handle),
  ),

  replayedEndpoint(providerRoutes.answerCrossAppRequest, {
    reserve: (trx, { caller, body }, context) => requireAnswerable(trx, context, caller, body.handle),
    ask: {
      repeatable: true,
      run: ({ id }, { app, caller, body }, context, signal) =>
        lookAt(context, app, caller, id, body.answer, signal),
    },
    decide: (trx, { caller }, context, { reserved, answer }) =>
      decideAnswer(trx, context, caller, reserved.id, answer),
    render: (outcome: Outcome, { body }) => {
      switch (outcome.status) {
        case 'completed':
          return { status: 'completed', result: outcome.hash ?? signatureIn(body.answer) }
        case 'failed':
          return outcome
        case 'refused':
          throw new LatchkeyError('transaction_failure', outcome.why)
        default:
          return outcome satisfies never
      }
    },
  }),
]

const signatureIn = (answer: { type: string; data?: string }) => answer.data ?? ''

/** Signature requests of other apps for the wallets of this app's users. */
export const providerRequests: Capability = {
  name: 'provider/requests',
  activity: { 'connected_app.used': { kind: 'app_request', namesApp: true } },
  endpoints: requestEndpoints,
  openCalls: requestCalls,
  ports: [port(connectedAppsPort, () => ({ value: connectedApps }))],
  migrations: requestMigrations,
  userRows: [
    { table: 'cross_app_requests', goes: 'with the account', by: ['user_id'] },
    { table: 'cross_app_spending', goes: 'with the account', by: ['user_id'] },
  ],
  restored: { drops: ['cross_app_requests'] },
  expiryRules: [
    {
      table: 'cross_app_requests',
      key: ['id'],
      column: 'expires_at',
      retentionSeconds: crossAppLimits.answerLifetimeSeconds,
    },
    { table: 'cross_app_spending', key: ['request_id'], column: 'expires_at', retentionSeconds: 0 },
  ],
}
