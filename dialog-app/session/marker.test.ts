import { expect, test } from 'vitest'
import { appId } from '../testing/fixtures.ts'
import { cookieMarker } from './marker.ts'

const name = '__Host-latchkey-session-lkdemo0000000000000000001'

test.each([
  [`${name}=7`, 7],
  [`other=3; ${name}=41; ${name}x=5`, 41],
  [`${name}=`, undefined],
  [`${name}=seven`, undefined],
  [`${name}=-1`, undefined],
  [`${name}=99999999999999999999`, undefined],
])('in %j there is a marker, with the counter %j', (cookie, counter) => {
  const marker = cookieMarker(appId, { cookie })
  expect(marker.isPresent()).toBe(true)
  expect(marker.counter()).toBe(counter)
})

test.each(['', 'other=7', `x${name}=7`, `${name}x=7`])('in %j there is none', (cookie) => {
  const marker = cookieMarker(appId, { cookie })
  expect(marker.isPresent()).toBe(false)
  expect(marker.counter()).toBeUndefined()
})

test('it is removed by its own attributes', () => {
  const document = { cookie: `${name}=7` }
  cookieMarker(appId, document).remove()
  expect(document.cookie).toBe(`${name}=; Max-Age=0; Path=/; Secure; SameSite=None; Partitioned`)
})
