/** What the next page of the origin announces before its dialog has come: what the dialog of this one announced last. */

import type { Page } from '../../client/page.ts'
import { type Announcement, announcementKey } from '../../provider/page-provider.ts'
import { listen } from '../one-per-client.ts'

/** A dialog that is ready has this long to announce the provider, else the next page does not. */
const ANNOUNCED_WITHIN_MS = 5_000

const announcedOn = new WeakSet<EventTarget>()

export function storeAnnouncement({ appId, events }: Page, announcement: Announcement) {
  announcedOn.add(events)
  ifStorageWorks(() => localStorage.setItem(announcementKey(appId), JSON.stringify(announcement)))
}

export function forgetUnlessAnnounced(page: Page) {
  const forget = () => {
    if (!announcedOn.has(page.events))
      ifStorageWorks(() => localStorage.removeItem(announcementKey(page.appId)))
  }
  listen(page, 'ready', () => setTimeout(forget, ANNOUNCED_WITHIN_MS))
}

/** A page may have no storage, or a full one: then libraries wait for the dialog, as at a first visit. */
function ifStorageWorks(run: () => void) {
  try {
    run()
  } catch {}
}
