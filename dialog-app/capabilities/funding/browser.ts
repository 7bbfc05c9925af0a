/** What the browser does for a payment: a tab of its own, asking chains, saying what its user prefers. */
import type { Fetch } from '../../chains/rpc.ts'

export type FundingBrowser = {
  /**
   * In a press, before anything is waited for. The page that comes knows nothing of this one. False where none came, or
   * where the opener policy of the host's page lets nobody know.
   */
  openTab: (address: string) => boolean
  fetch: Fetch
  prefersDark: () => boolean
}

export const ownBrowser: FundingBrowser = {
  openTab(address) {
    const opened = window.open(address, '_blank')
    if (!opened) return false
    opened.opener = null
    return true
  },
  fetch: (...call) => globalThis.fetch(...call),
  prefersDark: () => matchMedia('(prefers-color-scheme: dark)').matches,
}
