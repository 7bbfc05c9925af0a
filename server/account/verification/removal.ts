/** The row that ends a method: the same for all that are ended by their own call. */
import type { mfaRoutes } from '@latchkey/protocol/api'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { changeAnswer, tellOfChange } from './change.ts'
import { holdMethods, removeMethod } from './enrolment.ts'

type Removal = typeof mfaRoutes.unenrollTotp | typeof mfaRoutes.unenrollSms

export const removalEndpoint = (route: Removal, method: 'totp' | 'sms'): Endpoint =>
  replayedEndpoint(route, {
    decide: async (trx, call, context) => {
      await holdMethods(trx, context, call.caller)
      return removeMethod(trx, context, call, method, call.body.mfaToken)
    },
    perform: (outcome, call, context) => tellOfChange(outcome, call, context),
    render: (_outcome, call, context) => changeAnswer(call, context),
  })
