/** How soon a page asks again that could not reach its dialog: sooner at first, and then four times as late each time. */
export const stateLimits = { firstRetryMs: 2_000, lastRetryMs: 60_000 } as const
