/** What the sign screen says: the host's words where it has some, and who asks, as far as the browser vouches. */
import type { SignUi } from '@latchkey/protocol'
import { noNames } from '@latchkey/protocol/reading'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { appName, isDrawable, type Settings } from '../../host/settings.ts'
import type { ShownRequest } from './request-screen.tsx'
import type { ShownContent } from './to-sign.ts'

type Shown = {
  readonly ui?: SignUi | undefined
  readonly content: ShownContent
  readonly address: string
  readonly origin: string | null
  readonly requester: RelayedRequester | undefined
}

export function shownRequest({ ui = {}, requester, ...shown }: Shown, settings: Settings): ShownRequest {
  return {
    ...shown,
    title: ui.title,
    description: ui.description,
    buttonText: ui.buttonText,
    iconUrl: ui.iconUrl && isDrawable(ui.iconUrl, settings) ? ui.iconUrl : undefined,
    appName: appName(settings),
    ...(requester && { appName: requester.name, origin: requester.url, isRelayed: true }),
    names: noNames,
  }
}
