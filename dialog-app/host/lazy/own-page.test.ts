import { afterEach, expect, test, vi } from 'vitest'
import { makeFakeClock, settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import { createOwnPage } from './own-page.ts'

afterEach(() => vi.unstubAllGlobals())

/** A wallet of the page, which answers when the test says so. */
function open() {
  const clock = makeFakeClock()
  const asked: unknown[] = []
  const answer = Promise.withResolvers<unknown>()
  const request = (question: unknown) => {
    asked.push(question)
    return answer.promise
  }
  vi.stubGlobal('ethereum', { request })
  const page = createOwnPage(clock)
  const leaving = new AbortController()
  const connecting = watch(
    page.request({ wallet: 'injected', method: 'eth_requestAccounts', params: [] }, leaving),
  )
  return { clock, asked, answer, leaving, connecting, page }
}

test('a wallet of the page itself is asked, and answers', async () => {
  const { asked, answer, connecting } = open()
  expect(asked).toEqual([{ method: 'eth_requestAccounts', params: [] }])
  answer.resolve(['0x1'])
  await settle()
  expect(connecting.value).toEqual({ result: ['0x1'] })
})

test('it lends what it lends to any dialog, and no more', async () => {
  const { page } = open()
  const { signal } = new AbortController()
  const asked = page.request({ wallet: 'injected', method: 'eth_sign', params: [] }, { signal })
  await expect(asked).rejects.toMatchObject({ code: 'method_not_found' })
})

test('a wallet is waited for five minutes, or until nobody asks any more', async () => {
  const late = open()
  await late.clock.advance(299_999)
  expect(late.connecting.settled).toBe(false)
  await late.clock.advance(1)
  expect(late.connecting.error).toMatchObject({ code: 'call_timeout' })
  const left = open()
  left.leaving.abort()
  await settle()
  expect(left.connecting.settled).toBe(true)
})
