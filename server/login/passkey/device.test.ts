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
])('detects browser and system of %s', (userAgent, label) => {
  expect(deviceLabel(unknown, userAgent)).toEqual(label)
})

test.each([
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['adce0002-35bc-c60a-648b-0b25f1f05503', 'Chrome on Mac'],
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain'],
  ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'iCloud Keychain'],
  ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
  ['9ddd1817-af5a-4672-a2b9-3e3dd95000a9', 'Windows Hello'],
  ['6028b017-b1d4-4c02-b4b3-afcdafc96bb2', 'Windows Hello'],
  ['bada5566-a7aa-401f-bd96-45619a55120d', '1Password'],
  ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
  ['531126d6-e717-415c-9320-3d9aa6981239', 'Dashlane'],
  ['53414d53-554e-4700-0000-000000000000', 'Samsung Pass'],
  ['50726f74-6f6e-5061-7373-50726f746f6e', 'Proton Pass'],
  ['fdb141b2-5d84-443e-8a35-4698c205a502', 'KeePassXC'],
])('names the authenticator %s %s', (aaguid, authenticatorName) => {
  expect(deviceLabel(aaguid)).toEqual({ authenticatorName })
})

test('includes the name of a known authenticator', () => {
  expect(deviceLabel('fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Firefox/143.0')).toEqual({
    authenticatorName: 'iCloud Keychain',
    createdWithBrowser: 'Firefox',
  })
})
