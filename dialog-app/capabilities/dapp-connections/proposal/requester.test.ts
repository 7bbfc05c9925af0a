import { expect, test } from 'vitest'
import { requesterOf } from './requester.ts'

const ours = ['https://login.app.example', 'https://app.example:8443']
const of = (url: string, name = 'Tide Market') => requesterOf({ name, url }, ours)

test('a dapp is its name and its origin', () => {
  expect(of('https://market.example/swap?x=1#y')).toEqual({
    name: 'Tide Market',
    url: 'https://market.example',
  })
})

test.each(['', 'market.example', 'http://market.example', 'javascript:alert(1)', 'ftp://market.example'])(
  'one that says %j says no address',
  (url) => expect(of(url)).toBeUndefined(),
)

test('one on this machine may be without TLS', () => {
  expect(of('http://dapp.localhost:3000/')).toMatchObject({ url: 'http://dapp.localhost:3000' })
  expect(of('http://dapp.localhost.example/')).toBeUndefined()
})

test.each(['https://login.app.example', 'https://app.example', 'https://app.example.:1'])(
  'no dapp is at %s, which is ours',
  (url) => expect(of(url)).toBeUndefined(),
)

test.each([
  ['Tide\u202e Market\u0000', 'Tide Market'],
  ['\u200b \n', 'market.example'],
  ['a'.repeat(500), 'a'.repeat(40)],
  ['\u{1f30a}'.repeat(500), '\u{1f30a}'.repeat(40)],
])('a name is cut to what can be seen: %j', (name, shown) => {
  expect(of('https://market.example', name)?.name).toBe(shown)
})
