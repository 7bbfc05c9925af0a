import * as v from 'valibot'

/** The values by which users are found. */
export const searchWays = [
  ['prefix', 'E-mail or external id starts with'],
  ['email', 'E-mail address'],
  ['phone', 'Phone number'],
  ['wallet', 'Wallet address'],
  ['account', 'Account'],
  ['externalId', 'External id'],
] as const

/** The filters of the list of users, as the address contains them. */
export const usersSearch = v.object({
  q: v.optional(v.fallback(v.optional(v.string()), undefined)),
  by: v.optional(v.fallback(v.optional(v.picklist(searchWays.map(([way]) => way))), undefined)),
  blocked: v.optional(v.fallback(v.optional(v.picklist(['true', 'false'])), undefined)),
})
export type UsersSearch = v.InferOutput<typeof usersSearch>
