import { appLimits, LatchkeyError } from '@latchkey/protocol'

/** Exact text of the specification, and the only one in the loader. */
const invalidAppId = `Invalid app id: it must be a string of exactly ${appLimits.appIdLength} characters.`

/** Validates the app id, which may come from an unset environment variable. */
export function checkAppId(appId: unknown): string {
  if (typeof appId === 'string' && appId.length === appLimits.appIdLength) return appId
  throw new LatchkeyError('missing_or_invalid_latchkey_app_id', invalidAppId)
}

/** Returns the http(s) URL without trailing slashes, so that paths can be appended. Throws if it is invalid. */
export function checkDialogUrl(dialogUrl: unknown): string {
  try {
    const { href } = new URL(String(dialogUrl))
    const [address] = /^https?:[^?#]*[^/?#](?=\/*$)/.exec(href) ?? []
    if (address !== undefined) return address
  } catch {
    // Handled like any other invalid URL.
  }
  throw new LatchkeyError('invalid_data', 'dialogUrl must be an http(s) URL', {
    details: { path: 'dialogUrl' },
  })
}

/**
 * Returns the frame's URL. The server checks the origin against the app's list and returns it in
 * `frame-ancestors`. With `open`, it preloads everything that a login needs.
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
