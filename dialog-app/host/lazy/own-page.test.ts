import { afterEach, expect, test, vi } from 'vitest'
import { makeFakeClock, settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import { createOwnPage } from './own-page.ts'

afterEach(() => vi.unstubAllGlobals())

/** A wallet on the page whose response the test controls. */
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

test('forwards a request to a wallet on the page and returns its response', async () => {
  const { asked, answer, connecting } = open()
  expect(asked).toEqual([{ method: 'eth_requestAccounts', params: [] }])
  answer.resolve(['0x1'])
  await settle()
  expect(connecting.value).toEqual({ result: ['0x1'] })
})

test('supports only the methods that the loader supports', async () => {
  const { page } = open()
  const { signal } = new AbortController()
  const asked = page.request({ wallet: 'injected', method: 'eth_sign', params: [] }, { signal })
  await expect(asked).rejects.toMatchObject({ code: 'method_not_found' })
})

test('waits five minutes for the wallet, or until the caller aborts', async () => {
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
