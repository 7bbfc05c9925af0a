/** Headers that every answer carries, and the policies of pages. */
import { product } from '@latchkey/protocol'
import { secureHeaders } from 'hono/secure-headers'
import { pageLimits } from '../../limits.ts'
import type { PageSources } from './page-sources.ts'

const none = ["'none'"]
const self = ["'self'"]

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
const features: readonly (readonly [feature: string, allowed: readonly string[]])[] = [
  ...deniedFeatures.map((feature) => [feature, []] as const),
  ...ownFeatures.map((feature) => [feature, ['self']] as const),
]

/**
 * Whatever is not a page has a policy under which nothing may run and nothing may frame it. `overwrite: false`
 * keeps what an answer says of itself; where it says nothing, this is what holds, for 304 and errors too.
 */
export const commonHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: { defaultSrc: none, frameAncestors: none },
  permissionsPolicy: Object.fromEntries(features.map(([feature, allowed]) => [feature, [...allowed]])),
  strictTransportSecurity: `max-age=${pageLimits.hstsMaxAgeSeconds}; includeSubDomains`,
  // Each page names its ancestors and openers itself.
  xFrameOptions: false,
  crossOriginOpenerPolicy: false,
  // The dialog's page looks up the wallet origin early.
  xDnsPrefetchControl: false,
  // Read by no browser that runs these pages.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})

type Directives = Readonly<Record<string, readonly string[]>>

const policy = (directives: Directives) =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')

/**
 * `ancestors` is one origin, or empty: then nobody may frame the page. Images come from that origin too. Of those that
 * the host names elsewhere its loader sends the bytes: a script that came into the page could else tell anybody
 * anything in the address of an image.
 */
export const dialogPolicy = (page: {
  ancestors: readonly string[]
  walletOrigin: string
  /** An API on a hostname of the app's own. */
  customApiUrl: string | null
  /** What the settings of the app name. */
  images: readonly string[]
  /** What the capabilities load that the app has on. */
  sources: Required<PageSources>
  /** It is left by a form that goes to the wallet's origin, and has no frame of that. */
  handsOver?: boolean
}) =>
  policy({
    'default-src': none,
    'script-src': [...self, ...page.sources.script],
    'style-src': self,
    'img-src': [...self, 'data:', ...page.ancestors, ...page.images, ...page.sources.img],
    'font-src': self,
    'connect-src': [
      ...self,
      ...(page.customApiUrl === null ? [] : [page.customApiUrl]),
      ...page.sources.connect,
    ],
    'frame-src': framesOf(page),
    'base-uri': none,
    'form-action': page.handsOver ? [page.walletOrigin] : none,
    'object-src': none,
    'frame-ancestors': page.ancestors.length > 0 ? page.ancestors : none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': page.sources.trustedTypes.length > 0 ? page.sources.trustedTypes : none,
  })

function framesOf({
  handsOver,
  walletOrigin,
  sources,
}: Pick<Parameters<typeof dialogPolicy>[0], 'handsOver' | 'walletOrigin' | 'sources'>) {
  if (!handsOver) return [walletOrigin, ...sources.frame]
  return sources.frame.length > 0 ? sources.frame : none
}

/** A page of the dialog's origin at the top: it asks the server, and nobody may frame it. */
export const topPagePolicy = (page: { customApiUrl: string | null; images: readonly string[] }) =>
  policy({
    'default-src': none,
    'script-src': self,
    'style-src': self,
    'img-src': [...self, 'data:', ...page.images],
    'font-src': self,
    'connect-src': [...self, ...(page.customApiUrl === null ? [] : [page.customApiUrl])],
    'base-uri': none,
    'form-action': none,
    'object-src': none,
    'frame-ancestors': none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': none,
  })

export const walletPolicy = (page: {
  ancestors: readonly string[]
  customApiUrl: string | null
  clouds?: readonly string[]
}) =>
  policy({
    'default-src': none,
    'script-src': self,
    'worker-src': self,
    'connect-src': [
      ...self,
      ...(page.customApiUrl === null ? [] : [page.customApiUrl]),
      ...new Set(page.clouds),
    ],
    'base-uri': none,
    'form-action': none,
    'frame-ancestors': page.ancestors,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [product.trustedTypesPolicy],
  })

/**
 * A page of the wallet's origin that takes or shows a key has the policy of the wallet frame, with styles and without a
 * network.
 */
export const walletPagePolicy = (ancestors: readonly string[]) =>
  policy({
    'default-src': none,
    'script-src': self,
    'style-src': self,
    'worker-src': self,
    'connect-src': none,
    'base-uri': none,
    'form-action': none,
    'frame-ancestors': ancestors.length > 0 ? ancestors : none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [product.trustedTypesPolicy],
  })

/** Where a user sees their key: the same, at the top. */
export const exportPolicy = walletPagePolicy([])

/** Where a request is approved: of the wallet's origin, at the top, with the server as its network and no worker. */
export const confirmPolicy = policy({
  'default-src': none,
  'script-src': self,
  'style-src': self,
  'connect-src': self,
  'base-uri': none,
  'form-action': none,
  'frame-ancestors': none,
  'require-trusted-types-for': ["'script'"],
  'trusted-types': none,
})

/** Where a user lets another app use their wallet: as the page of a confirmation, with a vault of its own. */
export const crossAppPolicy = (page: {
  /** Where it posts its answer: origins of ours. */
  submitsTo: readonly string[]
  /** Where users keep a file that brings their wallet back. */
  clouds: readonly string[]
}) =>
  policy({
    'default-src': none,
    'script-src': self,
    'style-src': self,
    'worker-src': self,
    'connect-src': [...self, ...new Set(page.clouds)],
    'base-uri': none,
    'form-action': page.submitsTo,
    'frame-ancestors': none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': [product.trustedTypesPolicy],
  })

/** Where a user gives what keeps their wallet: as the one before, without any network. */
export const recoveryPolicy = policy({
  'default-src': none,
  'script-src': self,
  'style-src': self,
  'connect-src': none,
  'base-uri': none,
  'form-action': none,
  'frame-ancestors': none,
  'require-trusted-types-for': ["'script'"],
  'trusted-types': none,
})

/** A worker obeys the policy of its own script, so this is what keeps keys from the network. */
export const vaultPolicy = policy({
  'default-src': none,
  'script-src': ["'wasm-unsafe-eval'"],
  'worker-src': none,
  'connect-src': none,
})
