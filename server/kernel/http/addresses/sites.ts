/** The hostnames of a server: dialog, wallet, and API hostnames of apps. */
import type { ServerConfig } from '../../config.ts'
import type { App } from '../../ports.ts'

export type Site = 'dialog' | 'wallet' | 'elsewhere'

export function siteForHost(host: string | undefined, config: ServerConfig): Site {
  switch (host?.toLowerCase()) {
    case getHost(config.dialogOrigin):
      return 'dialog'
    case getHost(config.walletOrigin):
      return 'wallet'
    default:
      return 'elsewhere'
  }
}

/** Returns whether the API is available on this hostname. On an app's own hostname, only for that app. */
export function servesApi(site: Site, app: App | undefined, host: string | undefined): boolean {
  if (site !== 'elsewhere') return true
  const own = app?.config.customApiUrl
  return own !== null && own !== undefined && getHost(own) === host?.toLowerCase()
}

const hosts = new Map<string, string>()
function getHost(origin: string): string {
  const cachedHost = hosts.get(origin)
  if (cachedHost !== undefined) return cachedHost
  const { host } = new URL(origin)
  hosts.set(origin, host)
  return host
}
