import * as v from 'valibot'
import { appConfigSchema } from '../entities/app-config.ts'
import { text } from '../entities/primitives.ts'
import type { Routes } from '../rows/route.ts'

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
