/** Creates the endpoint that removes TOTP or SMS as a second factor. */
import type { mfaRoutes } from '@latchkey/protocol/api'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { notifyOfFactorChange, renderUser } from './change.ts'
import { holdMethods, removeMethod } from './enrolment.ts'

type Removal = typeof mfaRoutes.unenrollTotp | typeof mfaRoutes.unenrollSms

export const removalEndpoint = (route: Removal, method: 'totp' | 'sms'): Endpoint =>
  replayedEndpoint(route, {
    decide: async (trx, call, context) => {
      await holdMethods(trx, context, call.caller)
      return removeMethod(trx, context, call, method, call.body.mfaToken)
    },
    perform: (outcome, call, context) => notifyOfFactorChange(outcome, call, context),
    render: (_outcome, call, context) => renderUser(call, context),
  })
