/** Limits of the page that shows a key to its user. */
export const exportLimits = {
  /** The key is hidden again after this time. */
  shownMs: 60_000,
  /** Accepted values of the reported screen width. */
  widthPx: { least: 200, most: 1_000 },
} as const
