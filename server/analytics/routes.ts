import { analyticsRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { recordEvent } from './analytics.ts'

export const analyticsEndpoints: readonly Endpoint[] = [
  endpoint(analyticsRoutes.analyticsEvent, async ({ app, body }, context) => {
    await recordEvent(context, app, body)
    return { success: true }
  }),
]
