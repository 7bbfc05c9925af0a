import { LatchkeyError } from '@latchkey/protocol'
import { providerRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { decideAnswer, lookAt, type Outcome, readForPage, requireAnswerable } from './answer.ts'

export const requestEndpoints: readonly Endpoint[] = [
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

const signatureIn = (answer: { readonly type: string; readonly data?: string }) => answer.data ?? ''
