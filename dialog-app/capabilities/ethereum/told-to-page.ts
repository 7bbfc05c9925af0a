/** What the page of the host is told: as what the provider is announced, and where its requests are confirmed. */
import { channelLimits } from '@latchkey/protocol'
import type { ConfirmPage } from '@latchkey/protocol/host'
import { isInsideApp } from '../../browser/device.ts'
import { appName, iconUrl, maySignSilently, type Settings } from '../../host/settings.ts'

/** It goes in one message with the rest. */
const MAX_ICON_LENGTH = channelLimits.maxMessageBytes / 2

/** Under the name of the app. Its icon is told itself, and not where one is. */
export function announcedAs(settings: Settings) {
  const icon = iconUrl(settings)
  const name = appName(settings)
  return icon?.startsWith('data:image/') && icon.length <= MAX_ICON_LENGTH ? { name, icon } : { name }
}

/**
 * The address for a page that opens the page of a confirmation in the click that asked for it. There is none where no window can be opened, where its opener is cut off, or where it may be that
 * nobody is asked.
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
