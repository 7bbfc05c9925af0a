import * as v from 'valibot'

/**
 * The window in which a user sees the key of their wallet is a page of the wallet's origin, at the top, with an address
 * bar. It finds the wallet frame by a handle that was made for this one opening, its user approves the export there, and
 * its own vault is given the two shares, sealed. The dialog hears that it was shown, and when the window is closed. This
 * is its path on the wallet's hostname.
 */
export const exportPath = (appId: string) => `/apps/${appId}/embedded-wallets/export`

/** What did not work: the window says that it is begun anew in the app. */
export const exportProblemSchema = v.object({ code: v.pipe(v.string(), v.maxLength(64)) })
