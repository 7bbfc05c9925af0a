import * as v from 'valibot'

/**
 * Returns the path of the export window on the wallet's hostname: a top-level page with an address bar. It finds the
 * wallet frame by a one-time handle, and the user approves the export there. Its own vault receives the two sealed
 * shares. The dialog only learns that the key was shown and that the window closed.
 */
export const exportPath = (appId: string) => `/apps/${appId}/embedded-wallets/export`

/** The problem to show. The user restarts the export in the app. */
export const exportProblemSchema = v.object({ code: v.pipe(v.string(), v.maxLength(64)) })
