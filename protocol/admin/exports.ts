import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { AdminRoutes } from './route.ts'
import { adminUser } from './users.ts'

/** A line of an export: a user as `getUser` returns it. Imports with the source `latchkey` read these lines. */
const exportedUser = v.object({
  /** The position of this line, as `after` of another call. */
  cursor: text,
  ...adminUser.entries,
})
export type AdminExportedUser = v.InferOutput<typeof exportedUser>

export const adminExportRoutes = {
  exportUsers: {
    scopes: ['export'],
    effect: 'reads',
    method: 'GET',
    path: '/apps/{app}/export',
    stream: true,
    status: 200,
    summary:
      'streams all users of an app, oldest first, without any secret or share. Continue with the last `cursor` as `after`',
    query: v.object({ after: v.exactOptional(text) }),
    output: exportedUser,
    errors: ['app_not_found'],
  },
} as const satisfies AdminRoutes
