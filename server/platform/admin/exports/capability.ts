import { adminExportRoutes } from '@latchkey/protocol/admin'
import type { Capability } from '../../../kernel/capability.ts'
import { adminStream } from '../../../kernel/http/admin-endpoint.ts'
import { parsePosition } from '../pages.ts'
import { readExportBatches } from './exports.ts'

export const exports: Capability = {
  name: 'admin/exports',
  adminEndpoints: [
    adminStream(adminExportRoutes.exportUsers, async ({ appId, query }, { db }) =>
      readExportBatches(db, appId, parsePosition(query.after)),
    ),
  ],
}
