/** Provider data for the host page: its EIP-6963 name and icon, and the address of the confirmation page. */
import { channelLimits } from '@latchkey/protocol'
import type { ConfirmPage } from '@latchkey/protocol/host'
import { isInsideApp } from '../../browser/device.ts'
import { appName, iconUrl, maySignSilently, type Settings } from '../../host/settings.ts'

/** The icon shares one channel message with the other data. */
const MAX_ICON_LENGTH = channelLimits.maxMessageBytes / 2

/** Returns the app's name, and its icon if that is a data URL. EIP-6963 icons are data URLs. */
export function announcedAs(settings: Settings) {
  const icon = iconUrl(settings)
  const name = appName(settings)
  return icon?.startsWith('data:image/') && icon.length <= MAX_ICON_LENGTH ? { name, icon } : { name }
}

/**
 * Returns the address of the confirmation page, so that the host page can open it synchronously in a click. Returns
 * none if windows cannot open, if an opener policy separates them, or if requests may be signed silently.
 */
export function confirmPageOf(
  settings: Settings,
  userAgent = navigator.userAgent,
): { confirmPage?: ConfirmPage } {
  const { app, walletOrigin } = settings
  if (isInsideApp(userAgent) || app.crossOriginOpenerPolicy !== null || maySignSilently(settings)) return {}
  const { cardTypedData, testNetworks, id } = app
  const address = new URL(`/apps/${id}/confirm`, walletOrigin).href
  return { confirmPage: { address, typedDataOnCard: cardTypedData, testNetworks } }
}
