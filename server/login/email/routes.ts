import { emailRoutes } from '@latchkey/protocol/api'
import { type Call, type Endpoint, replayedEndpoint } from '../../http/endpoint.ts'
import { accountRefusal, requireUser } from '../../users/users.ts'
import { authAnswer } from '../answer.ts'
import { bindingHash } from './code.ts'
import { link, login, orderCode, requireEmailLogin, sendCode, wrongCode } from './email.ts'
import type { CodePlace } from './store.ts'

type PlacedCall = Pick<Call, 'app' | 'binding'> & { readonly body: { readonly email: string } }
const placeOf = ({ app, body, binding }: PlacedCall): CodePlace => ({
  appId: app.id,
  address: body.email,
  binding: bindingHash(binding),
})

export const emailEndpoints: readonly Endpoint[] = [
  replayedEndpoint(emailRoutes.sendEmailCode, {
    decide: async (_trx, { app }, context) => {
      requireEmailLogin(app)
      return orderCode(context)
    },
    perform: (order, call, context) => sendCode(context, call.app, placeOf(call), order),
    render: () => ({ success: true }),
  }),

  replayedEndpoint(emailRoutes.loginWithEmailCode, {
    decide: (trx, call, context) => {
      requireEmailLogin(call.app)
      const attempt = { code: call.body.code, provenKey: call.proof().key }
      return login(trx, context, call.app, placeOf(call), attempt)
    },
    render: async (outcome, call, context) => {
      if (outcome.type === 'wrong_code') throw wrongCode()
      if (outcome.type === 'refused') throw accountRefusal(call.app, outcome.code, 'email')
      return authAnswer(call, context, outcome.grant, outcome.isNewUser)
    },
  }),

  replayedEndpoint(emailRoutes.linkEmail, {
    decide: (trx, call, context) => {
      requireEmailLogin(call.app)
      return link(trx, context, call.caller, placeOf(call), call.body.code)
    },
    render: (outcome, call, context) => {
      if (outcome.type === 'wrong_code') throw wrongCode()
      if (outcome.type === 'refused') throw accountRefusal(call.app, outcome.code, 'email')
      return requireUser(context.db, call.caller.appId, call.caller.userId)
    },
  }),
]
