import { passkeyPageRoutes, passkeyWindowRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../../http/endpoint.ts'
import { answerIn, awaitedStatus, beginWindow, keepAnswer, readCeremony, takeAnswer } from './window.ts'

export const passkeyWindowEndpoints: readonly Endpoint[] = [
  replayedEndpoint(passkeyWindowRoutes.beginPasskeyWindow, {
    decide: (trx, call, context) => beginWindow(trx, context, call, call.body),
    render: () => ({}),
  }),

  endpoint(passkeyPageRoutes.readPasskeyCeremony, ({ app, body }, context) =>
    readCeremony(context, app, body.handle),
  ),

  replayedEndpoint(passkeyPageRoutes.answerPasskeyCeremony, {
    decide: (trx, { app, body }, context) => keepAnswer(trx, context, app, body),
    render: () => ({}),
  }),

  endpoint(passkeyWindowRoutes.passkeyWindowStatus, (call, context) =>
    awaitedStatus(context, call, call.body),
  ),

  replayedEndpoint(passkeyWindowRoutes.takePasskeyAnswer, {
    decide: (trx, call, context) => takeAnswer(trx, context, call, call.body),
    render: (taken, _call, context) => answerIn(context, taken),
  }),
]
