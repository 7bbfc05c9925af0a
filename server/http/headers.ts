/** Headers that every answer carries, and the policies of pages. */
import { product } from '@latchkey/protocol'
import type { Context } from 'hono'
import { pageLimits } from '../limits.ts'
import type { PageSources } from './page-sources.ts'

/** Features that Chromium knows and that no page of ours uses. */
const deniedFeatures = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
const ownFeatures = [
  'publickey-credentials-get',
  'publickey-credentials-create',
  'otp-credentials',
  'clipboard-write',
]
const permissionsPolicy = [
  ...deniedFeatures.map((feature) => `${feature}=()`),
  ...ownFeatures.map((feature) => `${feature}=(self)`),
].join(', ')

/** For whatever is not a page: nothing may run, and nothing may frame it. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

const common = {
  'strict-transport-security': `max-age=${pageLimits.hstsMaxAgeSeconds}; includeSubDomains`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': permissionsPolicy,
  'content-security-policy': dataPolicy,
} as const

export function setCommonHeaders(http: Context): void {
  for (const [name, value] of Object.entries(common)) http.header(name, value)
}

type Directives = Readonly<Record<string, readonly string[]>>

const policy = (directives: Directives) =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')

const none = ["'none'"]
const self = ["'self'"]

/** `ancestors` is one origin, or empty: then nobody may frame the page. */
export const dialogPolicy = (page: {
  readonly ancestors: readonly string[]
  readonly walletOrigin: string
  /** An API on a hostname of the app's own. */
  readonly customApiUrl: string | null
  /** What the capabilities load that the app has on. */
  readonly sources: Required<PageSources>
}) =>
  policy({
    'default-src': none,
    'script-src': [...self, ...page.sources.script],
    'style-src': self,
    'img-src': [...self, 'data:', 'https:', ...page.sources.img],
    'font-src': self,
    'connect-src': [
      ...self,
      ...(page.customApiUrl === null ? [] : [page.customApiUrl]),
      ...page.sources.connect,
    ],
    'frame-src': [page.walletOrigin, ...page.sources.frame],
    'base-uri': none,
    'form-action': none,
    'object-src': none,
    'frame-ancestors': page.ancestors.length > 0 ? page.ancestors : none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [product.trustedTypesPolicy],
  })

export const walletPolicy = (page: {
  readonly ancestors: readonly string[]
  readonly customApiUrl: string | null
}) =>
  policy({
    'default-src': none,
    'script-src': self,
    'worker-src': self,
    'connect-src': [...self, ...(page.customApiUrl === null ? [] : [page.customApiUrl])],
    'base-uri': none,
    'form-action': none,
    'frame-ancestors': page.ancestors,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [product.trustedTypesPolicy],
  })

/** A worker obeys the policy of its own script, so this is what keeps keys from the network. */
export const vaultPolicy = policy({
  'default-src': none,
  'script-src': ["'wasm-unsafe-eval'"],
  'worker-src': none,
  'connect-src': none,
})
