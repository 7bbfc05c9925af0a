import * as v from 'valibot'
import { appConfigSchema } from '../entities/app-config.ts'
import { text } from '../entities/primitives.ts'
import type { Routes, RoutesDoc } from '../rows/route.ts'

const appStatuses = ['ok', 'unknown_app', 'origin_not_allowed'] as const

export const appRoutes = {
  appConfig: {
    method: 'GET',
    path: '/apps/{appId}',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    output: appConfigSchema,
  },
  appStatus: {
    method: 'GET',
    path: '/apps/{appId}/status',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    query: v.object({ origin: text }),
    output: v.object({ status: v.picklist(appStatuses) }),
  },
} as const satisfies Routes

export const appDoc: RoutesDoc<typeof appRoutes> = {
  appConfig: {
    summary: 'Returns the public configuration of an app.',
    errors: ['missing_or_invalid_latchkey_app_id'],
  },
  appStatus: {
    summary: 'Tells a loader why its frame did not load. Readable from any origin.',
    errors: [],
  },
}
