import { expect, test } from 'vitest'
import { deviceLabel } from './device.ts'

const unknown = '00000000-0000-0000-0000-000000000000'

// spec L3.4, L9.19
test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    { createdWithBrowser: 'Chrome', createdWithOs: 'Windows' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    { createdWithBrowser: 'Edge', createdWithOs: 'Windows' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    { createdWithBrowser: 'Safari', createdWithOs: 'macOS' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    { createdWithBrowser: 'Safari', createdWithOs: 'iOS', createdWithDevice: 'iPhone' },
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1',
    { createdWithBrowser: 'Chrome', createdWithOs: 'iOS', createdWithDevice: 'iPad' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    { createdWithBrowser: 'Samsung Internet', createdWithOs: 'Android' },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    { createdWithBrowser: 'Firefox', createdWithOs: 'Linux' },
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/120.0.0.0',
    { createdWithBrowser: 'Opera', createdWithOs: 'ChromeOS' },
  ],
  ['curl/8.5.0', {}],
  [undefined, {}],
])('the browser and the system of %s', (userAgent, label) => {
  expect(deviceLabel(unknown, userAgent)).toEqual(label)
})

test('an authenticator that is known is named', () => {
  expect(deviceLabel('fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Firefox/143.0')).toEqual({
    authenticatorName: 'iCloud Keychain',
    createdWithBrowser: 'Firefox',
  })
})
