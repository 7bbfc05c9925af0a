import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { keepsName } from '../../names/naming.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { analyticsEventNames } from './events.ts'

export const analyticsRoutes = {
  analyticsEvent: {
    method: 'POST',
    path: '/analytics_events',
    auth: 'none',
    forks: true,
    effect: 'counts',
    appHeader: true,
    body: v.object({
      eventName: v.picklist(analyticsEventNames),
      clientId: v.nullable(v.pipe(text, v.regex(/^\P{Cc}*$/u))),
      payload: v.objectWithRest(
        { clientTimestamp: v.exactOptional(v.pipe(text, v.isoTimestamp(), keepsName())) },
        v.union([text, v.number(), v.boolean(), v.null()]),
      ),
    }),
    output: v.object({ success: v.literal(true) }),
  },
} as const satisfies Routes

export const analyticsDoc: RoutesDoc<typeof analyticsRoutes> = {
  analyticsEvent: {
    summary: 'Counts an analytics event of the app. Fire-and-forget: never retried.',
    errors: ['invalid_data', 'too_many_requests'],
  },
}
