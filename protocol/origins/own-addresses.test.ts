import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findOwnAddress, isOnSameHost } from './own-addresses.ts'

const own = ['https://dialog.example', 'https://wallet.example:8443']

test.each([
  'https://dialog.example/oauth/start/x',
  'https://dialog.example',
  'http://dialog.example/',
  'https://dialog.example:444/',
  'https://DIALOG.example/',
  'https://dialog.example./',
  'https://user:password@dialog.example/',
  'https:\\\\dialog.example\\x',
  'https://dialog%2eexample/',
  'https://ｄialog.example/',
  ' https://dialog.example/',
  'https://dia\nlog.example/',
  'https:dialog.example/x',
  'wss://wallet.example/',
])('%j is an own URL', (address) => {
  expect(isOnSameHost(address, own)).toBe(true)
})

test.each([
  'https://dialog.example.com/',
  'https://app.example/',
  'https://my.dialog.example/',
  'https://app.example/?to=https://dialog.example/',
  'https://app.example/#https://dialog.example/',
  'https://dialog.example@app.example/',
  'data:image/png;base64,AAAA',
  'dialog.example',
  '',
])('%j is not an own URL', (address) => {
  expect(isOnSameHost(address, own)).toBe(false)
})

test('an own URL is detected with any path', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const address = new URL(url)
      address.host = 'dialog.example'
      expect(isOnSameHost(address.href, own)).toBe(true)
    }),
  )
})

test('findOwnAddress returns the path of the first own URL and ignores prose that mentions it', () => {
  const found = { a: 'https://app.example/', b: { c: ['x', 'https://wallet.example/'] } }
  expect(findOwnAddress(found, own)).toBe('b.c.1')
  expect(findOwnAddress({ text: 'Go to https://dialog.example/ now', n: 1, none: null }, own)).toBeUndefined()
})
