import { expect, test } from 'vitest'
import { appId } from '../testing/fixtures.ts'
import { createCookieMarker } from './marker.ts'

const name = '__Host-latchkey-session-lkdemo0000000000000000001'

test.each([
  [`${name}=7`, 7],
  [`other=3; ${name}=41; ${name}x=5`, 41],
  [`${name}=`, undefined],
  [`${name}=seven`, undefined],
  [`${name}=-1`, undefined],
  [`${name}=99999999999999999999`, undefined],
])('reads from %j a marker with the counter %j', (cookie, counter) => {
  const marker = createCookieMarker(appId, { cookie })
  expect(marker.isPresent()).toBe(true)
  expect(marker.counter()).toBe(counter)
})

test.each(['', 'other=7', `x${name}=7`, `${name}x=7`])('returns no marker for %j', (cookie) => {
  const marker = createCookieMarker(appId, { cookie })
  expect(marker.isPresent()).toBe(false)
  expect(marker.counter()).toBeUndefined()
})

test('removes the marker with the attributes it was set with', () => {
  const document = { cookie: `${name}=7` }
  createCookieMarker(appId, document).remove()
  expect(document.cookie).toBe(`${name}=; Max-Age=0; Path=/; Secure; SameSite=None; Partitioned`)
})
