/** Names of the browser and system of a user agent. They are for display only: a user agent can claim anything. */

export type UserAgentNames = { browser?: string; system?: string; device?: string }

type Pattern = [RegExp, string]

/** The first match wins: derived browsers also contain the name of their base. */
const browsers: Pattern[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/).*\bSafari\//, 'Safari'],
]
const systems: Pattern[] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const devices: Pattern[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
]

const findName = (patterns: Pattern[], userAgent: string) =>
  patterns.find(([pattern]) => pattern.test(userAgent))?.[1]

export function parseUserAgent(userAgent = ''): UserAgentNames {
  const browser = findName(browsers, userAgent)
  const system = findName(systems, userAgent)
  const device = findName(devices, userAgent)
  return {
    ...(browser !== undefined && { browser }),
    ...(system !== undefined && { system }),
    ...(device !== undefined && { device }),
  }
}
