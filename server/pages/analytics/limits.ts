export const analyticsLimits = {
  /** How long hourly counts are kept: a year, and a month to compare it with. */
  countsKeptSeconds: 400 * 86_400,
  /** How long single events are kept, if the app stores them. */
  eventsKeptSeconds: 90 * 86_400,
  /** How often a process stores its counts. */
  storeCountsIntervalMs: 10_000,
  maxPayloadLength: 4_096,
  /** The number of single events per app that are stored a minute. Counts have no such limit. */
  eventsPerMinute: 3_000,
  /** The storage limit per app. The oldest rows above it are deleted. */
  keptBytesPerApp: 64 * 1_048_576,
  /**
   * The number of slots among which the events of an app are distributed. Each slot has its own counter rows, and an
   * equal part of the limits of single events. A single counter row would cause serialization failures on databases
   * that order transactions.
   */
  slots: 8,
  /** The size of a row and its index entries, without the payload. */
  bytesBesidePayload: 300,
} as const
