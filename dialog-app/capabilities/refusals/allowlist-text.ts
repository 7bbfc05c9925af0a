/** What ALLOWLIST_REJECTION_SCREEN says: the host's words, else the app's; what neither says are our own. */
import type { Settings } from '../../host/settings.ts'

export type AllowlistState = {
  title: string | undefined
  detail: string | undefined
  button: string | undefined
  link: string | undefined
}

export function allowlistState({ app, config }: Settings): AllowlistState {
  const host = config.allowlistConfig
  const server = app.allowlistConfig
  return {
    title: host?.errorTitle ?? server.errorTitle ?? undefined,
    detail: host?.errorDetail ?? server.errorDetail ?? undefined,
    button: host?.ctaText ?? server.ctaText ?? undefined,
    link: host?.ctaLink ?? server.ctaLink ?? undefined,
  }
}
