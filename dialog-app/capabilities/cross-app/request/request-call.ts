/** Opens the request on a card of its own. Resolves with the result of the provider. */
import { createCall } from '../../../app/screen-stack.ts'
import { type Flow, failed } from '../../../flow/flow.ts'
import { providerOf } from '../connections.ts'
import type { CrossAppParts } from '../parts.ts'
import { requestScreen } from '../screens.ts'
import { type RequestOrder, rejected } from './request.ts'
import { initialRequest } from './request-state.ts'

export function createRequestCall(parts: CrossAppParts, order: RequestOrder): Flow<string> {
  const { userId, connection } = order
  const { providerAppId } = connection
  /** The error that the caller gets if the user leaves now. */
  let closing = rejected()

  return createCall<string>(
    parts,
    { kind: 'approval', onClose: () => failed(closing) },
    async ({ open, settle }) => {
      const initial = initialRequest(await parts.tokens.has({ userId, provider: providerOf(providerAppId) }))
      parts.analytics('cross_app_request_started', { provider: providerAppId })
      closing = initial.closing
      return open(requestScreen, {
        parts,
        order,
        initial,
        settle,
        setClosing(error) {
          closing = error
        },
      })
    },
  )
}
