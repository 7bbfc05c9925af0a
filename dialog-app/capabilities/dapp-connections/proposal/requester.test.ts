import { expect, test } from 'vitest'
import { requesterOf } from './requester.ts'

const ours = ['https://login.app.example', 'https://app.example:8443']
const of = (url: string, name = 'Tide Market') => requesterOf({ name, url }, ours)

test('returns the name and the origin of a dapp', () => {
  expect(of('https://market.example/swap?x=1#y')).toEqual({
    name: 'Tide Market',
    url: 'https://market.example',
  })
})

test.each(['', 'market.example', 'http://market.example', 'javascript:alert(1)', 'ftp://market.example'])(
  'rejects a dapp with the URL %j',
  (url) => expect(of(url)).toBeUndefined(),
)

test('accepts a localhost origin without TLS', () => {
  expect(of('http://dapp.localhost:3000/')).toMatchObject({ url: 'http://dapp.localhost:3000' })
  expect(of('http://dapp.localhost.example/')).toBeUndefined()
})

test.each(['https://login.app.example', 'https://app.example', 'https://app.example.:1'])(
  'rejects a dapp at %s, an origin of this app',
  (url) => expect(of(url)).toBeUndefined(),
)

test.each([
  ['Tide\u202e Market\u0000', 'Tide Market'],
  ['\u200b \n', 'market.example'],
  ['a'.repeat(500), 'a'.repeat(40)],
  ['\u{1f30a}'.repeat(500), '\u{1f30a}'.repeat(40)],
])('removes invisible characters from a name and shortens it: %j', (name, shown) => {
  expect(of('https://market.example', name)?.name).toBe(shown)
})
