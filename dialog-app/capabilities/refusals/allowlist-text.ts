/** What ALLOWLIST_REJECTION_SCREEN says: the host's words, else the app's, else our own. */
import type { Settings } from '../../host/settings.ts'
import type { ErrorState } from './error-text.ts'
import { english } from './texts.arb'

export type AllowlistState = ErrorState & { readonly link: string | undefined }

export function allowlistState({ app, config }: Settings): AllowlistState {
  const ours = english.allowlist
  const host = config.allowlistConfig
  const server = app.allowlistConfig
  return {
    title: host?.errorTitle ?? server.errorTitle ?? ours.title,
    detail: host?.errorDetail ?? server.errorDetail ?? ours.detail,
    button: host?.ctaText ?? server.ctaText ?? ours.button,
    link: host?.ctaLink ?? server.ctaLink ?? undefined,
  }
}
