/** As what the provider is told to libraries. */
import { channelLimits } from '@latchkey/protocol'
import { appName, iconUrl, type Settings } from '../../core/settings.ts'

/** It goes in one message with the rest. */
const MAX_ICON_LENGTH = channelLimits.maxMessageBytes / 2

/** Under the name of the app. Its icon is told itself, and not where one is. */
export function announcedAs(settings: Settings) {
  const icon = iconUrl(settings)
  const name = appName(settings)
  return icon?.startsWith('data:image/') && icon.length <= MAX_ICON_LENGTH ? { name, icon } : { name }
}
