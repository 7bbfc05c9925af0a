/** The provider is told to the page's libraries (EIP-6963) by itself, before anybody asks for it. */
import { channelLimits } from '@latchkey/protocol'
import { defineCapability } from '../../core/capability.ts'
import { appName, createOnLogin, logoUrl, type Settings } from '../../core/settings.ts'

/** It goes in one message with the rest. */
const MAX_ICON_LENGTH = channelLimits.maxMessageBytes / 2

/** Under the name of the app. Its icon is told itself, and not where one is. */
export function announcedAs(settings: Settings) {
  const icon = logoUrl(settings)
  const name = appName(settings)
  return icon?.startsWith('data:image/') && icon.length <= MAX_ICON_LENGTH ? { name, icon } : { name }
}

/** Where users get a wallet with their login a page has a use for it; another page can want it too, or not at all. */
const isAnnounced = (settings: Settings) =>
  settings.config.embeddedWallets?.announceProvider ?? (createOnLogin(settings) ?? 'off') !== 'off'

/** For visitors too, who log in by it: what answers it comes with the first request. */
export const announced = defineCapability({
  name: 'ethereum',
  loadedFor: 'nobody',
  bring: ({ settings, tellPage }) => ({
    meetPage() {
      if (isAnnounced(settings())) tellPage({ name: 'provider', data: announcedAs(settings()) })
    },
  }),
})
