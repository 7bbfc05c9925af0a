/** The user takes their wallet elsewhere. */
import * as v from 'valibot'
import type { MoreRows } from '../rows/host-call.ts'

/** Of the page that shows a key to its user. */
export const exportLimits = {
  /** What is shown is hidden again after this time. */
  shownMs: 60_000,
  /** What a screen may say of its own width. */
  widthPx: { least: 200, most: 1_000 },
} as const

/**
 * The window in which a user sees the key of their wallet is a page of the wallet's origin, at the top, with an address
 * bar. It finds the wallet frame by a handle that was made for this one opening, its user approves the export there, and
 * its own vault is given the two shares, sealed. The dialog hears that it was shown, and when the window is closed. This
 * is its path on the wallet's hostname.
 */
export const exportPath = (appId: string) => `/apps/${appId}/embedded-wallets/export`

/** What did not work: the window says that it is begun anew in the app. */
export const exportProblemSchema = v.object({ code: v.pipe(v.string(), v.maxLength(64)) })

export const exportCalls = {
  exportWallet: { policy: 'needs-user', input: v.object({}) },
} as const satisfies MoreRows

export const exportAnswers = { exportWallet: v.object({}) } as const
