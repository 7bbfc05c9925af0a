/** Limits of the Admin API that its callers see. */
export const adminLimits = {
  maxBodyBytes: 16_384,
  /** Objects per page. */
  mostPerPage: 200,
  defaultPerPage: 100,
  shortestPrefix: 3,
  longestPrefix: 254,
  mostSearchResults: 50,
  defaultSearchResults: 20,
  maxReasonLength: 200,
  idempotencySeconds: 86_400,
  callsPerMinute: 1_200,
} as const
