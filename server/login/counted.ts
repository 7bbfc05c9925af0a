/** Counts logins by method and outcome. A success counts once, a refusal each time it is returned. */
import { isCrossAppProvider, isOidcProvider, product, type SwitchedLoginMethod } from '@latchkey/protocol'
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

/** Login methods of the dialog, logins by a host's own token, and logins at another app or an OpenID provider. */
export type ProvenMethod = SwitchedLoginMethod | 'custom_jwt' | 'cross_app' | 'oidc'

export function countLogin(trx: Trx, method: ProvenMethod, isNewUser: boolean): void {
  afterCommit(trx, () => {
    logins.add({ method, outcome: 'success' })
    if (isNewUser) newUsers.add({ method })
  })
}

const withProvider = v.object({ provider: v.string() })
function toMethodName(provider: string): string {
  if (isCrossAppProvider(provider)) return 'cross_app'
  return isOidcProvider(provider) ? 'oidc' : provider
}

/**
 * Wraps a login endpoint and counts its refusals. If an endpoint serves several providers, the outcome names the
 * provider; before that, none is known.
 */
export const countedLogin = (method: ProvenMethod | 'oauth', endpoint: Endpoint): Endpoint => ({
  route: endpoint.route,
  async answer(call, context, replay) {
    let methodName: string = method
    const noting: Replay = (steps) =>
      replay({
        ...steps,
        render(outcome) {
          if (method === 'oauth' && v.is(withProvider, outcome)) methodName = toMethodName(outcome.provider)
          return steps.render(outcome)
        },
      })
    try {
      return await endpoint.answer(call, context, noting)
    } catch (error) {
      logins.add({ method: methodName, outcome: toLatchkeyError(error).code })
      throw error
    }
  },
})
