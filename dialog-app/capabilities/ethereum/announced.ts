/** The provider is told to the page's libraries (EIP-6963) by itself, before anybody asks for it. */
import { defineCapability } from '../../contract/capability.ts'
import { createOnLogin, type Settings } from '../../host/settings.ts'

/** Where users get a wallet with their login a page has a use for it; another page can want it too, or not at all. */
const isAnnounced = (settings: Settings) =>
  settings.config.embeddedWallets?.announceProvider ?? (createOnLogin(settings) ?? 'off') !== 'off'

/** For visitors too, who log in by it: what answers it comes with the first request. */
export const announced = defineCapability({
  name: 'ethereum',
  comes: 'at start',
  loadedFor: 'nobody',
  bring({ settings, tellPage, load }) {
    let isTold = false
    /** Once: what a library has found can not be taken back. */
    const isDue = () => !isTold && isAnnounced(settings())
    return {
      async meetPage() {
        if (!isDue()) return
        const { announcedAs, confirmPageOf } = await load(() => import('./told-to-page.ts'))
        if (!isDue()) return
        isTold = true
        tellPage({ name: 'provider', data: { ...announcedAs(settings()), ...confirmPageOf(settings()) } })
      },
    }
  },
})
