/** Browser functions for a payment: opening a tab, calling RPC nodes, and reading the color scheme. */
import type { Fetch } from '../../chains/rpc.ts'

export type FundingBrowser = {
  /**
   * Opens a tab without an opener. Must run in the press, before any await. Returns false if no tab opened, or if the
   * opener policy of the host page hides it.
   */
  openTab: (address: string) => boolean
  fetch: Fetch
  prefersDark: () => boolean
}

export const ownBrowser: FundingBrowser = {
  openTab(address) {
    const tab = window.open(address, '_blank')
    if (!tab) return false
    tab.opener = null
    return true
  },
  fetch: (...call) => globalThis.fetch(...call),
  prefersDark: () => matchMedia('(prefers-color-scheme: dark)').matches,
}
