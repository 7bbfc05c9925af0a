import { expect, test } from 'vitest'
import type { Databases } from '../browser/storage.ts'
import { makeFakeClock } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { appId } from '../testing/fixtures.ts'
import { createIndexedDbProofKeys } from './proof-keys.ts'

/** A request that never completes. */
const hung: Databases = { open: () => ({}) as IDBOpenDBRequest }

function setUp(database: () => Databases) {
  const clock = makeFakeClock()
  return { clock, keys: createIndexedDbProofKeys({ appId, clock, database }) }
}

test('rejects after 5 s if the browser does not answer, and retries at the next call', async () => {
  let asked = 0
  const { clock, keys } = setUp(() => {
    asked += 1
    return hung
  })
  const loading = watch(keys.load())
  await clock.advance(4_999)
  expect(loading.settled).toBe(false)
  await clock.advance(1)
  expect(loading.error).toMatchObject({ code: 'session_storage_unavailable' })
  expect(keys.atHand()).toBeUndefined()
  watch(keys.load())
  expect(asked).toBe(2)
})

test('sends one request for concurrent calls', async () => {
  let asked = 0
  const { keys } = setUp(() => {
    asked += 1
    return hung
  })
  watch(keys.load())
  watch(keys.load())
  expect(asked).toBe(1)
})

test('rejects at once if the browser blocks storage', async () => {
  const { keys } = setUp(() => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  })
  await expect(keys.load()).rejects.toMatchObject({ code: 'session_storage_unavailable' })
})
