/** Texts of ALLOWLIST_REJECTION_SCREEN: those of the host page, else those of the app, else the defaults. */
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
