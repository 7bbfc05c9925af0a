/** Logins by method and outcome. One that succeeds counts once; a refusal counts each time that it is told. */
import { isCrossAppProvider, type LoginMethod, product } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Endpoint, Replay } from '../kernel/http/endpoint.ts'
import { toLatchkeyError } from '../kernel/http/failures.ts'
import type { Trx } from '../kernel/ports.ts'
import { afterCommit } from '../kernel/telemetry/after-commit.ts'
import { counter } from '../kernel/telemetry/instruments.ts'

const logins = counter({
  name: `${product.key}.logins`,
  unit: '{login}',
  description: 'Logins by method: `success`, or the code of the error that refused it',
  attributes: ['method', 'outcome'],
})
const newUsers = counter({
  name: `${product.key}.users.created`,
  unit: '{user}',
  description: 'New users, by the method of their first login',
  attributes: ['method'],
})

/** The methods of the dialog; what a host does itself and the dialog does not offer; or another app with a wallet. */
export type ProvenMethod = LoginMethod | 'custom_jwt' | 'cross_app'

export function countLogin(trx: Trx, method: ProvenMethod, isNewUser: boolean): void {
  afterCommit(trx, () => {
    logins.add({ method, outcome: 'success' })
    if (isNewUser) newUsers.add({ method })
  })
}

const withProvider = v.object({ provider: v.string() })
const methodOf = (provider: string) => (isCrossAppProvider(provider) ? 'cross_app' : provider)

/**
 * An endpoint that logs in, whose refusals are counted. Of several providers behind one endpoint the outcome names the
 * one; until there is an outcome it is nobody's.
 */
export const countedLogin = (method: ProvenMethod | 'oauth', endpoint: Endpoint): Endpoint => ({
  route: endpoint.route,
  async answer(call, context, replay) {
    let known: string = method
    const noting: Replay = (steps) =>
      replay({
        ...steps,
        render(outcome) {
          if (method === 'oauth' && v.is(withProvider, outcome)) known = methodOf(outcome.provider)
          return steps.render(outcome)
        },
      })
    try {
      return await endpoint.answer(call, context, noting)
    } catch (error) {
      logins.add({ method: known, outcome: toLatchkeyError(error).code })
      throw error
    }
  },
})
