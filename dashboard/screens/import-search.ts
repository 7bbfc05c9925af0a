import * as v from 'valibot'

/** The filter of the report, as the address contains it. The screen ignores other results than those of imports. */
export const importSearch = v.object({ result: v.optional(v.fallback(v.optional(v.string()), undefined)) })
