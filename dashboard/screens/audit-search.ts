import * as v from 'valibot'

const text = v.optional(v.fallback(v.optional(v.string()), undefined))

/** The filters of the audit log, as the address contains them. */
export const auditSearch = v.object({ event: text, user: text })
