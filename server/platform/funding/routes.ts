import { fundingRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { addressOf, type Begun, begin, statusOf } from './funding.ts'

export const fundingEndpoints: readonly Endpoint[] = [
  replayedEndpoint(fundingRoutes.signFunding, {
    decide: (trx, { app, caller, body }, context) => begin(trx, context, app, caller, body),
    render: (begun: Begun, { app, body }, context) => ({
      signedUrl: addressOf(context, app, begun, body.config),
      externalTransactionId: begun.reference,
    }),
  }),

  endpoint(fundingRoutes.fundingStatus, ({ app, caller, query, c }, context) =>
    statusOf(context, app, caller, query.externalTransactionId, c.req.raw.signal),
  ),
]
