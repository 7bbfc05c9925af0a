import { analyticsRoutes } from '@latchkey/protocol/api'
import { analyticsIdOf } from '../../kernel/http/client.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { recordEvent } from './analytics.ts'

export const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body, c }, context) => {
    await recordEvent(context, app, { ...body, clientId: body.clientId ?? analyticsIdOf(c) ?? null })
    return { success: true }
  }),
]
