import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

export const adminEnvironment = environmentPart(
  {
    ADMIN_AUDIT_ADDRESSES: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  },
  {
    ADMIN_AUDIT_ADDRESSES:
      '`true` stores the client address of each admin call in the audit log ([Admin API](../admin-api.md#audit-log)).',
  },
)
