import * as v from 'valibot'

/** The filter of deliveries, as the address contains it. */
export const webhookSearch = v.object({
  state: v.optional(v.fallback(v.optional(v.picklist(['pending', 'delivered', 'failed'])), undefined)),
})
