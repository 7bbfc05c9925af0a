import { messageKindNames } from '@latchkey/protocol/admin'
import * as v from 'valibot'

/** The opened message, as the address contains it. */
export const messagesSearch = v.object({
  kind: v.optional(v.fallback(v.optional(v.picklist(messageKindNames)), undefined)),
  locale: v.optional(v.fallback(v.optional(v.string()), undefined)),
})
