import { activityRoutes, confirmPageRoutes, confirmRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { activityOf } from './activity.ts'
import { confirmationStatus, decideConfirmation, putConfirmation, readConfirmation } from './confirmations.ts'

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
  endpoint(confirmPageRoutes.decideConfirmation, ({ app, body }, context) =>
    decideConfirmation(context, app, body),
  ),
  endpoint(activityRoutes.activity, ({ caller, query }, context) =>
    activityOf(context, caller, query.before),
  ),
]
