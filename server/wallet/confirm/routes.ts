import { activityRoutes, confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { askLimits } from '../../kernel/limits.ts'
import { activityOf } from './activity.ts'
import type { OrderedCode } from './code.ts'
import {
  confirmationStatus,
  decideConfirmation,
  orderCodeFor,
  putConfirmation,
  readConfirmation,
  sendCodeFor,
} from './confirmations.ts'

export const confirmEndpoints: readonly Endpoint[] = [
  endpoint(confirmRoutes.putConfirmation, ({ app, caller, body }, context) =>
    putConfirmation(context, app, caller, body),
  ),
  endpoint(confirmRoutes.confirmationStatus, ({ caller, body }, context) =>
    confirmationStatus(context, caller, body.handle),
  ),
  endpoint(confirmPageRoutes.readConfirmation, ({ app, body }, context) =>
    readConfirmation(context, app, body.handle),
  ),
  replayedEndpoint(confirmPageRoutes.sendConfirmationCode, {
    reserve: (trx, { app, body, address }, context, before: OrderedCode | undefined) =>
      orderCodeFor(trx, context, app, body.handle, { address }, before),
    ask: {
      repeatable: true,
      deadlineMs: askLimits.mailDeadlineMs,
      run: (ordered, call, context) => sendCodeFor(context, call, call.body.handle, ordered),
    },
    decide: async (_trx, _call, _context, { answer }) => answer,
    render: (sent) => sent,
  }),
  endpoint(confirmPageRoutes.decideConfirmation, ({ app, body, address }, context) =>
    decideConfirmation(context, app, body, { address }),
  ),
  endpoint(activityRoutes.activity, ({ caller, query }, context) =>
    activityOf(context, caller, query.before),
  ),
]
