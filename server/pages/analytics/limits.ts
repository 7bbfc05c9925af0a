export const analyticsLimits = {
  keptSeconds: 90 * 86_400,
  maxPayloadLength: 4_096,
  eventsPerMinute: 3_000,
  /** The limit of one app; above it the oldest rows are deleted. */
  keptBytesPerApp: 64 * 1_048_576,
  /** The size of a row without its payload, with its place in the indexes. */
  bytesBesidePayload: 300,
} as const
