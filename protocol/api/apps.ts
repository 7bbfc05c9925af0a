import * as v from 'valibot'
import { appConfigSchema } from '../entities/app-config.ts'
import { text } from '../entities/primitives.ts'
import type { Routes } from './route.ts'

export const appStatuses = ['ok', 'unknown_app', 'origin_not_allowed'] as const

export const appRoutes = {
  appConfig: {
    says: 'The public configuration of an app.',
    method: 'GET',
    path: '/apps/{appId}',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    output: appConfigSchema,
    errors: ['missing_or_invalid_latchkey_app_id'],
  },
  appStatus: {
    says: 'Tells a loader why its frame did not come: readable from any origin, and says no more than this.',
    method: 'GET',
    path: '/apps/{appId}/status',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: false,
    query: v.object({ origin: text }),
    output: v.object({ status: v.picklist(appStatuses) }),
    errors: [],
  },
} as const satisfies Routes
