import { describe, expect, it } from 'vitest'
import { createTokenCache } from './token-cache.ts'

type Answer = { token: string | null }

function makeCache() {
  const asked: PromiseWithResolvers<Answer>[] = []
  const clock = { ms: 1_000_000 }
  const cache = createTokenCache(
    () => {
      const answer = Promise.withResolvers<Answer>()
      asked.push(answer)
      return answer.promise
    },
    () => clock.ms,
  )
  const answer = (index: number, token: string | null) => asked[index]?.resolve({ token })
  return { cache, asked, clock, answer }
}

describe('the token cache', () => {
  it('shares one request among concurrent callers', async () => {
    const { cache, asked, answer } = makeCache()
    const both = Promise.all([cache.get(), cache.get()])
    answer(0, 'one')
    expect(await both).toEqual(['one', 'one'])
    expect(asked).toHaveLength(1)
  })

  it('reuses a token for a second after the response', async () => {
    const { cache, asked, clock, answer } = makeCache()
    const first = cache.get()
    clock.ms += 60_000
    answer(0, 'one')
    await first
    clock.ms += 999
    expect(await cache.get()).toBe('one')
    clock.ms += 1
    const second = cache.get()
    answer(1, 'two')
    expect(await second).toBe('two')
    expect(asked).toHaveLength(2)
  })

  it('does not reuse a token after the clock was set back', async () => {
    const { cache, asked, clock, answer } = makeCache()
    const first = cache.get()
    answer(0, 'one')
    await first
    clock.ms -= 3_600_000
    cache.get()
    expect(asked).toHaveLength(2)
  })

  it('does not reuse the null of a visitor', async () => {
    const { cache, asked, answer } = makeCache()
    const first = cache.get()
    answer(0, null)
    expect(await first).toBeNull()
    cache.get()
    expect(asked).toHaveLength(2)
  })

  it('does not reuse the token of a request that was pending when it was dropped', async () => {
    const { cache, asked, answer } = makeCache()
    const before = cache.get()
    cache.drop()
    const after = cache.get()
    answer(1, 'after')
    answer(0, 'before')
    expect(await before).toBe('before')
    expect(await after).toBe('after')
    expect(await cache.get()).toBe('after')
    expect(asked).toHaveLength(2)
  })

  it('requests a token again after a failure', async () => {
    const { cache, asked, answer } = makeCache()
    const first = cache.get()
    asked[0]?.reject(new Error('lost'))
    await expect(first).rejects.toThrow('lost')
    const second = cache.get()
    answer(1, 'two')
    expect(await second).toBe('two')
  })
})
