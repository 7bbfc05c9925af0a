/** What ALLOWLIST_REJECTION_SCREEN says: the host's words, else the app's, else our own. */
import { allowlistDefaults } from '@latchkey/protocol'
import type { Settings } from '../../core/settings.ts'
import type { ErrorState } from './error-text.ts'

export type AllowlistState = ErrorState & { readonly link: string | undefined }

export function allowlistState({ app, config }: Settings): AllowlistState {
  const host = config.allowlistConfig
  const server = app.allowlistConfig
  return {
    title: host?.errorTitle ?? server.errorTitle ?? allowlistDefaults.title,
    detail: host?.errorDetail ?? server.errorDetail ?? allowlistDefaults.detail,
    button: host?.ctaText ?? server.ctaText ?? allowlistDefaults.button,
    link: host?.ctaLink ?? server.ctaLink ?? undefined,
  }
}
