import { customJwtRoutes } from '@latchkey/protocol/api'
import { type Capability, port } from '../../kernel/capability.ts'
import { type Endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { countedLogin } from '../counted.ts'
import { type LoginOutcome, loginAnswer, loginWith } from '../proven.ts'
import { customJwtCommand } from './command.ts'
import { provenBy, readTokenOf, requireIssuer, tokenRefusal } from './custom-jwt.ts'
import { createKeySets, keySets, type TokenAnswer } from './issuer.ts'
import { customJwtTables } from './store.ts'

type Refused = {
  readonly type: 'not proven'
  readonly answer: Extract<TokenAnswer, { readonly type: 'refused' }>
}

const customJwtEndpoints: readonly Endpoint[] = [
  countedLogin(
    'custom_jwt',
    replayedEndpoint(customJwtRoutes.loginWithCustomJwt, {
      reserve: (trx, { app, proof }) => {
        proof()
        return requireIssuer(trx, app)
      },
      ask: {
        // Keys are read, and nothing is used up.
        repeatable: true,
        run: (issuer, { body }, context) => readTokenOf(context, issuer, body.token),
      },
      decide: async (trx, { app, browser }, context, { answer }): Promise<LoginOutcome | Refused> =>
        answer.type === 'proven'
          ? loginWith(trx, context, app, provenBy(answer.subject), browser())
          : { type: 'not proven', answer },
      render: (outcome, call, context) => {
        if (outcome.type === 'not proven') throw tokenRefusal(outcome.answer)
        return loginAnswer(outcome, call, context, 'custom_auth')
      },
    }),
  ),
]

export const customJwt: Capability = {
  name: 'login/custom-jwt',
  endpoints: customJwtEndpoints,
  ports: [port(keySets, () => ({ value: createKeySets() }))],
  appCommands: [customJwtCommand],
  migrations: { '0001-issuers': customJwtTables },
}
