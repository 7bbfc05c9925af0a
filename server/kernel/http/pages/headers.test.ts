import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import {
  commonHeaders,
  confirmPolicy,
  dialogPolicy,
  exportPolicy,
  topPagePolicy,
  vaultPolicy,
  walletPagePolicy,
  walletPolicy,
} from './headers.ts'

const getHeaders = async (own: Readonly<Record<string, string>> = {}) => {
  const hono = new Hono()
  hono.use(commonHeaders)
  hono.get('/', (c) => c.text('x', 200, own))
  return Object.fromEntries((await hono.request('/')).headers)
}

test('a response without its own headers blocks scripts, framing and other origins', async () => {
  const { 'permissions-policy': _features, 'content-type': _type, ...headers } = await getHeaders()
  expect(headers).toEqual({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
  })
})

test('a response keeps its own headers', async () => {
  const own = { 'content-security-policy': "default-src 'self'", 'referrer-policy': 'origin' }
  expect(await getHeaders(own)).toMatchObject(own)
})

test('denies all features but four, and those to foreign frames', async () => {
  const { 'permissions-policy': features } = await getHeaders()
  expect(features?.split(', ')).toEqual([
    'accelerometer=()',
    'autoplay=()',
    'browsing-topics=()',
    'camera=()',
    'clipboard-read=()',
    'display-capture=()',
    'encrypted-media=()',
    'fullscreen=()',
    'gamepad=()',
    'geolocation=()',
    'gyroscope=()',
    'hid=()',
    'idle-detection=()',
    'local-fonts=()',
    'magnetometer=()',
    'microphone=()',
    'midi=()',
    'payment=()',
    'picture-in-picture=()',
    'screen-wake-lock=()',
    'serial=()',
    'usb=()',
    'window-management=()',
    'xr-spatial-tracking=()',
    'publickey-credentials-get=(self)',
    'publickey-credentials-create=(self)',
    'otp-credentials=(self)',
    'clipboard-write=(self)',
  ])
})

describe('content security policies', () => {
  const directives = (policy: string) => policy.split('; ')
  const ancestors = ['https://host.example']
  const nothing = { connect: [], frame: [], script: [], img: [], trustedTypes: [] }
  const walletOrigin = 'https://keys.example'

  test('the dialog policy allows its own files, images, the wallet and its host page', () => {
    const page = { ancestors, walletOrigin, customApiUrl: null, images: [], sources: nothing }
    expect(directives(dialogPolicy(page))).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: https://host.example",
      "font-src 'self'",
      "connect-src 'self'",
      'frame-src https://keys.example',
      "base-uri 'none'",
      "form-action 'none'",
      "object-src 'none'",
      'frame-ancestors https://host.example',
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(directives(dialogPolicy({ ...page, ancestors: [] }))).toEqual(
      expect.arrayContaining(["frame-ancestors 'none'", "img-src 'self' data:"]),
    )
  })

  test('the dialog policy adds the sources of enabled capabilities', () => {
    const sources = {
      connect: ['https://connect.example'],
      frame: ['https://frame.example'],
      script: ['https://script.example'],
      img: ['blob:'],
      trustedTypes: ['a-policy'],
    }
    const policy = dialogPolicy({
      ancestors,
      walletOrigin,
      customApiUrl: 'https://api.example',
      images: ['https://cdn.example/logo.png'],
      sources,
    })
    expect(directives(policy)).toEqual(
      expect.arrayContaining([
        "script-src 'self' https://script.example",
        "img-src 'self' data: https://host.example https://cdn.example/logo.png blob:",
        "connect-src 'self' https://api.example https://connect.example",
        'frame-src https://keys.example https://frame.example',
        'trusted-types a-policy',
      ]),
    )
  })

  test('the wallet frame policy allows its own script and worker, and the API', () => {
    expect(directives(walletPolicy({ ancestors, customApiUrl: null }))).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://host.example',
      "require-trusted-types-for 'script'",
      'trusted-types latchkey',
    ])
    expect(directives(walletPolicy({ ancestors, customApiUrl: 'https://api.example' }))).toContain(
      "connect-src 'self' https://api.example",
    )
    const clouds = ['https://www.googleapis.com', 'https://api.apple-cloudkit.com']
    expect(directives(walletPolicy({ ancestors, customApiUrl: null, clouds }))).toContain(
      "connect-src 'self' https://www.googleapis.com https://api.apple-cloudkit.com",
    )
  })

  // spec W2.27
  test('the export page policy allows styles, but no network and no framing', () => {
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types latchkey',
    ]
    expect(directives(exportPolicy)).toEqual(policy)
    // The import page is embedded in the dialog.
    expect(directives(walletPagePolicy(ancestors))).toEqual(
      policy.with(7, 'frame-ancestors https://host.example'),
    )
  })

  test('the policy of a top-level page forbids framing and allows the API of its app', () => {
    const images = ['https://cdn.example/logo.png']
    const policy = (customApiUrl: string | null) => directives(topPagePolicy({ customApiUrl, images }))
    expect(policy('https://api.example')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: https://cdn.example/logo.png",
      "font-src 'self'",
      "connect-src 'self' https://api.example",
      "base-uri 'none'",
      "form-action 'none'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(policy(null)).toContain("connect-src 'self'")
  })

  test('the confirmation page policy forbids framing and allows only its own origin', () => {
    expect(directives(confirmPolicy)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
  })

  test('the vault policy allows no network access', () => {
    expect(directives(vaultPolicy)).toEqual([
      "default-src 'none'",
      "script-src 'wasm-unsafe-eval'",
      "worker-src 'none'",
      "connect-src 'none'",
    ])
  })
})
