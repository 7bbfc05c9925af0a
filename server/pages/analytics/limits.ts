export const analyticsLimits = {
  keptSeconds: 90 * 86_400,
  maxPayloadLength: 4_096,
  eventsPerMinute: 3_000,
  /** The limit of one app; above it the oldest rows are deleted. */
  keptBytesPerApp: 64 * 1_048_576,
  /**
   * An app's events are spread over so many slots, of which each has an equal part of both limits and is counted in
   * rows of its own: an engine that orders transactions undoes most of those that write one row at once.
   */
  slots: 8,
  /** The size of a row without its payload, with its place in the indexes. */
  bytesBesidePayload: 300,
} as const
