import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerDialog } from './answer-dialog.ts'

const request = { wallet: 'page', method: 'latchkey_getToken', params: [] }
const log = vi.fn()
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(log))
afterEach(() => {
  vi.restoreAllMocks()
  log.mockClear()
})

it.each([['a.b.c'], [null]])('returns %j of getToken', async (token) => {
  expect(await answerDialog(request, { getToken: () => token })).toEqual({ result: token })
  expect(await answerDialog(request, { getToken: async () => token })).toEqual({ result: token })
})

it('calls getToken as a method of the options', async () => {
  const auth = {
    token: 'a.b.c',
    getToken() {
      return this.token
    },
  }
  expect(await answerDialog(request, auth)).toEqual({ result: 'a.b.c' })
})

it.each([
  ['throws', () => Promise.reject(new Error('offline'))],
  ['returns undefined', () => undefined],
  ['returns a number', () => 7],
  ['returns a function', () => () => 'a.b.c'],
])('rejects with a code and logs the cause if getToken %s', async (_what, getToken) => {
  const answer = answerDialog(request, { getToken: getToken as unknown as () => null })
  await expect(answer).rejects.toMatchObject({ code: 'host_login_failed' })
  expect(log).toHaveBeenCalledExactlyOnceWith('Latchkey: getToken() failed', expect.any(Error))
})

it('rejects the request of a dialog without getToken', async () => {
  await expect(answerDialog(request, undefined)).rejects.toMatchObject({ code: 'method_not_found' })
})

it('passes other requests on to the wallets of the page', async () => {
  const getToken = vi.fn()
  const answer = answerDialog({ ...request, method: 'latchkey_more' }, { getToken })
  await expect(answer).rejects.toMatchObject({ code: 'method_not_found' })
  await expect(answerDialog({ ...request, wallet: '9' }, { getToken })).rejects.toMatchObject({
    code: 'method_not_found',
  })
  expect(getToken).not.toHaveBeenCalled()
})
