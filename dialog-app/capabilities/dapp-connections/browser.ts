/** What the browser does for dapps that were connected by a link. */
import type { Databases } from '../../browser/storage.ts'

/** One tab of this browser hears what dapps ask, or each would show every request. */
export type HoldTab = (
  name: string,
  /** `takes`: from the tab that holds it, because its user is here. Else it waits for that one to go away. */
  takes: boolean,
  /** Ends when it is over, or is taken: the signal says so. */
  run: (taken: AbortSignal) => Promise<void>,
) => Promise<void>

export type DappBrowser = { databases: () => Databases; hold: HoldTab }

export const ownBrowser: DappBrowser = {
  databases: () => indexedDB,
  async hold(name, takes, run) {
    const taken = new AbortController()
    try {
      await navigator.locks.request(name, { steal: takes }, () => run(taken.signal))
    } finally {
      // Where another tab took it, the request ends before what it ran.
      taken.abort()
    }
  },
}
