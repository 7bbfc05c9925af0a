/** What the sign screen says: the host's words where it has some, and who asks, as far as the browser vouches. */
import type { WalletAccount } from '@latchkey/protocol'
import { appName, type Settings } from '../../core/settings.ts'
import type { SignRequest } from './request.ts'
import type { ShownRequest } from './request-screen.tsx'
import { english } from './texts.en.ts'
import type { ToSign } from './to-sign.ts'

export function shownRequest(
  { ui = {} }: SignRequest,
  { content }: ToSign,
  { address }: WalletAccount,
  settings: Settings,
): ShownRequest {
  const { title, description, button } = english.request
  return {
    title: ui.title ?? title,
    description: ui.description ?? description,
    buttonText: ui.buttonText ?? button,
    iconUrl: ui.iconUrl,
    content,
    address,
    appName: appName(settings),
    origin: settings.hostOrigin,
  }
}
