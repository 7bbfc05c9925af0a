/** Limits of the page that shows a key to its user. */
export const exportLimits = {
  /** What is shown is hidden again after this time. */
  shownMs: 60_000,
  /** What a screen may say of its own width. */
  widthPx: { least: 200, most: 1_000 },
} as const
