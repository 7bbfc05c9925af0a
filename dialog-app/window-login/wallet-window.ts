/** A window of the wallet's origin, as a card opens it. It finds the wallet frame by the handle in its address. */

import { isInsideApp } from '../core/device.ts'
import type { Settings } from '../core/settings.ts'
import { languageOf } from '../i18n/languages.ts'
import { type LoginWindow, type WindowBrowser, windowBrowser } from './browser.ts'

export type OpenedWallet = {
  readonly href: string
  /** Undefined where nothing can be read of one. */
  readonly window: LoginWindow | undefined
}

/** In the click. A code where none can be opened that would find its way back. */
export function openWalletWindow(
  address: string,
  { app, config }: Pick<Settings, 'app' | 'config'>,
  browser: WindowBrowser = windowBrowser(window),
): OpenedWallet | 'in-app' | 'cut-off' {
  if (isInsideApp(browser.userAgent)) return 'in-app'
  // Its windows know nothing of this one, so what is done there could not come here.
  if (app.crossOriginOpenerPolicy === 'same-origin') return 'cut-off'
  const url = new URL(address)
  // The page has no host to be told the language by.
  url.searchParams.set('lang', languageOf(config.intl?.locale))
  return { href: url.href, window: browser.open(url.href) }
}
