export const analyticsLimits = {
  keptSeconds: 90 * 86_400,
  maxPayloadLength: 4_096,
  eventsPerMinute: 3_000,
  /** The storage limit per app. The oldest rows above it are deleted. */
  keptBytesPerApp: 64 * 1_048_576,
  /**
   * The number of slots among which the events of an app are distributed. Each slot has an equal part of both limits
   * and its own counter rows. A single counter row would cause serialization failures on databases that order
   * transactions.
   */
  slots: 8,
  /** The size of a row and its index entries, without the payload. */
  bytesBesidePayload: 300,
} as const
