export const doctorLimits = {
  /** The deadline of each wait for the network or the database. */
  waitMs: 8_000,
  /** ACME clients renew certificates 30 days before they expire, so a later one was not renewed. */
  certificateWarningDays: 14,
} as const
