/** Announces the provider to the host page's libraries (EIP-6963) without a request by the page. */
import { defineCapability } from '../../contract/capability.ts'
import { createOnLogin, type Settings } from '../../host/settings.ts'

/** Announces by default if users get a wallet on login. The host can override this. */
const isAnnounced = (settings: Settings) =>
  settings.config.embeddedWallets?.announceProvider ?? (createOnLogin(settings) ?? 'off') !== 'off'

/** Announced to visitors too, because the provider can log them in. Its code loads on the first request. */
export const announced = defineCapability({
  name: 'ethereum',
  comes: 'at start',
  loadedFor: 'nobody',
  bring({ settings, tellPage, load }) {
    let isTold = false
    /** Announces once, because EIP-6963 cannot withdraw an announcement. */
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
