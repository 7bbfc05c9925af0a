/** Sends analytics events once, without awaiting them. Failures are ignored. */

import { type AnalyticsEventName, toLatchkeyError } from '@latchkey/protocol'
import { analyticsRoutes } from '@latchkey/protocol/api'
import type { Analytics, AnalyticsPayload, Clock } from '../browser/ports.ts'
import type { Transport } from './transport.ts'

export function createAnalytics(ports: {
  transport: Transport
  clock: Clock
  token: () => string | null
}): Analytics {
  async function send(eventName: AnalyticsEventName, payload: AnalyticsPayload) {
    const clientTimestamp = new Date(ports.clock.nowMs()).toISOString()
    await ports.transport.send(
      analyticsRoutes.analyticsEvent,
      { eventName, clientId: null, payload: { ...payload, clientTimestamp } },
      { token: ports.token(), keepalive: true, retries: 0 },
    )
  }

  return (eventName, payload = {}) => void send(eventName, payload).catch(() => {})
}

/** Returns the loggable part of a failure. */
export const failurePayload = (error: unknown): AnalyticsPayload => ({
  code: toLatchkeyError(error, 'error', '').code,
})
