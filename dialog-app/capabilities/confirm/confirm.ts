import { oauthLimits } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import { isInsideApp } from '../../core/device.ts'
import { loadable } from '../../core/loadable.ts'
import { languageOf } from '../../i18n/languages.ts'

/** The browser that the page is opened in. */
export type TabBrowser = {
  readonly userAgent: string
  /** Opens a window if it is called in a click. False where none came, or where nothing is told of the one that came. */
  readonly open: (address: string) => boolean
}

const ownBrowser: TabBrowser = {
  get userAgent() {
    return navigator.userAgent
  },
  open(address) {
    const { popupWidthPx: width, popupHeightPx: height } = oauthLimits
    return window.open(address, '_blank', `popup,width=${width},height=${height}`) !== null
  },
}

export const confirmThrough = (browser: TabBrowser = ownBrowser) =>
  defineCapability({
    name: 'confirm',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const waiting = loadable(() => import('./waiting-flow.ts'))
      return {
        load: waiting.load,
        async confirmOnPage({ confirmed, card }) {
          const address = inLanguage(confirmed.pageUrl, ports.settings().config.intl?.locale)
          const isPossible = !isInsideApp(browser.userAgent)
          // In the click: whatever was awaited before, the browser would open nothing.
          const isOpened = isPossible && browser.open(address)
          const { inAppFlow, waitingFlow } = await ports.load(waiting.load)
          await card.interrupt(
            isPossible ? waitingFlow(ports, { ...confirmed, href: address, isOpened }) : inAppFlow,
          )
        },
      }
    },
  })

/** The page has no host to be told the language by. */
function inLanguage(pageUrl: string, locale: string | undefined): string {
  const url = new URL(pageUrl)
  url.searchParams.set('lang', languageOf(locale))
  return url.href
}

export const confirm = confirmThrough()
