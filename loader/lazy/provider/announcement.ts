/**
 * Stores the last announcement, so that the next page of the origin repeats it before its dialog has loaded.
 */

import type { Page } from '../../client/page.ts'
import { type Announcement, announcementKey } from '../../provider/page-provider.ts'
import { listen } from '../one-per-client.ts'

/** The deadline for a ready dialog to announce the provider. After that, the stored announcement is removed. */
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

/** Ignores missing or full storage. Libraries then wait for the dialog, as on a first visit. */
function ifStorageWorks(run: () => void) {
  try {
    run()
  } catch {}
}
