import { passkeyPageRoutes, passkeyWindowRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { windowBrowser } from './pages.ts'
import {
  awaitedStatus,
  beginWindow,
  closeWindow,
  keepAnswer,
  readCeremony,
  takeAnswer,
  unsealAnswer,
} from './window.ts'

export const passkeyWindowEndpoints: readonly Endpoint[] = [
  replayedEndpoint(passkeyWindowRoutes.beginPasskeyWindow, {
    decide: (trx, call, context) => beginWindow(trx, context, call, call.body),
    render: () => ({}),
  }),

  endpoint(passkeyPageRoutes.readPasskeyCeremony, ({ app, body: { handle }, c }, context) =>
    readCeremony(context, app, { handle, browser: windowBrowser.read(c, handle) }),
  ),

  replayedEndpoint(passkeyPageRoutes.answerPasskeyCeremony, {
    decide: (trx, { app, body, c }, context) =>
      keepAnswer(trx, context, app, body, windowBrowser.read(c, body.handle)),
    render: () => ({}),
  }),

  endpoint(passkeyWindowRoutes.passkeyWindowStatus, (call, context) =>
    awaitedStatus(context, call, call.body, call.wait),
  ),

  replayedEndpoint(passkeyWindowRoutes.takePasskeyAnswer, {
    decide: (trx, call, context) => takeAnswer(trx, context, call, call.body),
    render: (taken, _call, context) => unsealAnswer(context, taken),
  }),

  replayedEndpoint(passkeyWindowRoutes.closePasskeyWindow, {
    decide: (trx, call, context) => closeWindow(trx, context, call, call.body),
    render: () => ({}),
  }),
]
