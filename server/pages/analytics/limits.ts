export const analyticsLimits = {
  keptSeconds: 90 * 86_400,
  maxPayloadLength: 4_096,
  eventsPerMinute: 3_000,
  /** Of one app; above it the oldest go. */
  keptBytesPerApp: 64 * 1_048_576,
  /** Of a row beside its payload, with its place in the indexes. */
  bytesBesidePayload: 300,
} as const
