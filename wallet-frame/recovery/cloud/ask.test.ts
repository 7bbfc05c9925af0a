/** HTTP requests to a cloud: without cookies, to the given address only, and with a deadline. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchFromCloud } from './ask.ts'

const url = new URL('https://cloud.example/file')
const problem = expect.objectContaining({ code: 'error', details: { reason: 'cloud_unreachable' } })
type Asked = { address: string; init: RequestInit }

/** A cloud that never responds unless the request is aborted. */
function silentCloud() {
  const asked: Asked[] = []
  const fetch = (address: string, init: RequestInit) => {
    asked.push({ address, init })
    return new Promise<Response>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  return { fetch, asked }
}

describe('a request to a cloud', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is sent without cookies and cache, and follows no redirect', async () => {
    const asked: Asked[] = []
    const fetch = async (address: string, init: RequestInit) => {
      asked.push({ address, init })
      return new Response('the file', { status: 201 })
    }
    const headers = { authorization: 'Bearer token' }
    const answer = await fetchFromCloud(fetch, url, { method: 'POST', headers }, new AbortController().signal)
    expect(answer).toEqual({ status: 201, text: 'the file' })
    expect(asked).toMatchObject([
      {
        address: 'https://cloud.example/file',
        init: { method: 'POST', headers, credentials: 'omit', redirect: 'error', cache: 'no-store' },
      },
    ])
  })

  it('fails as unreachable after five seconds', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    const { fetch } = silentCloud()
    const answer = fetchFromCloud(fetch, url, {}, new AbortController().signal)
    expect(timeout).toHaveBeenCalledWith(5_000)
    deadline.abort(new DOMException('Too late', 'TimeoutError'))
    await expect(answer).rejects.toEqual(problem)
  })

  it('aborts with its caller, and rejects with the reason of the abort', async () => {
    const { fetch, asked } = silentCloud()
    const call = new AbortController()
    const answer = fetchFromCloud(fetch, url, {}, call.signal)
    call.abort(new Error('The call is over'))
    await expect(answer).rejects.toThrow('The call is over')
    expect(asked[0]?.init.signal?.aborted).toBe(true)
  })
})
