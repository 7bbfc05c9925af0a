/** Security headers of all responses, and the content security policies of pages. */
import { product } from '@latchkey/protocol'
import { secureHeaders } from 'hono/secure-headers'
import { pageLimits } from '../../limits.ts'
import type { PageSources } from './page-sources.ts'

const none = ["'none'"]
const self = ["'self'"]

/** Chromium features that our pages do not use. */
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
 * Responses that are no pages get a policy that blocks scripts and framing, including 304 and errors. `overwrite:
 * false` keeps the policy that a page sets itself.
 */
export const commonHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: { defaultSrc: none, frameAncestors: none },
  permissionsPolicy: Object.fromEntries(features.map(([feature, allowed]) => [feature, [...allowed]])),
  strictTransportSecurity: `max-age=${pageLimits.hstsMaxAgeSeconds}; includeSubDomains`,
  // Each page sets its own frame ancestors and opener policy.
  xFrameOptions: false,
  crossOriginOpenerPolicy: false,
  // The dialog page prefetches the DNS of the wallet origin.
  xDnsPrefetchControl: false,
  // No supported browser reads these.
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
 * The policy of the dialog page. `ancestors` is one origin, or empty to forbid framing. Images may load from that
 * origin. Other images of the host page are transferred as bytes by the loader: image URLs on arbitrary origins would
 * allow an injected script to exfiltrate data.
 */
export const dialogPolicy = (page: {
  ancestors: readonly string[]
  walletOrigin: string
  /** The app's own API hostname. */
  customApiUrl: string | null
  /** Images in the app settings. */
  images: readonly string[]
  /** Sources of the capabilities that the app uses. */
  sources: Required<PageSources>
  /** The page submits a form to the wallet origin and does not embed the wallet frame. */
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
    'frame-src': frameSources(page),
    'base-uri': none,
    'form-action': page.handsOver ? [page.walletOrigin] : none,
    'object-src': none,
    'frame-ancestors': page.ancestors.length > 0 ? page.ancestors : none,
    'require-trusted-types-for': ["'script'"],
    'trusted-types': page.sources.trustedTypes.length > 0 ? page.sources.trustedTypes : none,
  })

function frameSources({
  handsOver,
  walletOrigin,
  sources,
}: Pick<Parameters<typeof dialogPolicy>[0], 'handsOver' | 'walletOrigin' | 'sources'>) {
  if (!handsOver) return [walletOrigin, ...sources.frame]
  return sources.frame.length > 0 ? sources.frame : none
}

/** The policy of a top-level page on the dialog origin: API access, no framing. */
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

/** The policy of a wallet page that handles a key: that of the wallet frame, plus styles, without network access. */
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

/** The policy of the export page: top level only. */
export const exportPolicy = walletPagePolicy([])

/** The policy of the confirmation page: wallet origin, top level, API access, no worker. */
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

/** The policy of the cross-app page: that of the confirmation page, plus a vault. */
export const crossAppPolicy = (page: {
  /** Our own origins that it posts its response to. */
  submitsTo: readonly string[]
  /** Cloud storage of users' recovery files. */
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

/** The policy of the recovery page: that of the confirmation page, without network access. */
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

/** The policy of the dashboard: top level only, nothing inline, nothing from other origins. */
export const dashboardPolicy = policy({
  'default-src': none,
  'script-src': self,
  'style-src': self,
  'img-src': self,
  'connect-src': self,
  'base-uri': none,
  'form-action': none,
  'frame-ancestors': none,
  'require-trusted-types-for': ["'script'"],
  'trusted-types': none,
})

/** The policy of the vault script. Workers obey their own policy, so this one denies network access to the keys. */
export const vaultPolicy = policy({
  'default-src': none,
  'script-src': ["'wasm-unsafe-eval'"],
  'worker-src': none,
  'connect-src': none,
})
