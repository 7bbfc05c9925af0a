import { appLimits, LatchkeyError } from '@latchkey/protocol'

/** The text is the specification's; the loader carries this one alone. */
const invalidAppId = `Invalid app id: it must be a string of exactly ${appLimits.appIdLength} characters.`

/** An app id from somebody's environment variable may be anything. */
export function checkAppId(appId: unknown): string {
  if (typeof appId === 'string' && appId.length === appLimits.appIdLength) return appId
  throw new LatchkeyError('missing_or_invalid_latchkey_app_id', invalidAppId)
}

/** Without its last slashes, so that paths can be appended; undefined where it is no http(s) address. */
export function checkDialogUrl(dialogUrl: unknown): string {
  try {
    const { href } = new URL(String(dialogUrl))
    const [address] = /^https?:[^?#]*[^/?#](?=\/*$)/.exec(href) ?? []
    if (address !== undefined) return address
  } catch {
    // The same as any other wrong address.
  }
  throw new LatchkeyError('invalid_data', 'dialogUrl is no address', {
    details: { path: 'dialogUrl' },
  })
}

/**
 * The server checks the origin against the app's list, and answers with it in `frame-ancestors`. A page for a user
 * who waits preloads all that a login needs.
 */
export function frameAddress(dialogUrl: string, appId: string, forUser: boolean): string {
  const isolated = globalThis.crossOriginIsolated ? '&coi=1' : ''
  const open = forUser ? '&open=1' : ''
  return `${appAddress(dialogUrl, '/apps', appId)}/dialog?origin=${encodeURIComponent(location.origin)}${isolated}${open}`
}

export function statusAddress(dialogUrl: string, appId: string): string {
  return `${appAddress(dialogUrl, '/api/v1/apps', appId)}/status?origin=${encodeURIComponent(location.origin)}`
}

const appAddress = (dialogUrl: string, path: string, appId: string) =>
  `${dialogUrl}${path}/${encodeURIComponent(appId)}`
