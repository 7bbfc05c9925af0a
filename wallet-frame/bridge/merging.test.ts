import { describe, expect, it } from 'vitest'
import { mergeCalls } from './merging.ts'

function setUp() {
  const begun: {
    input: string
    signal: AbortSignal
    resolve: (value: string) => void
    reject: (error: Error) => void
  }[] = []
  const once = mergeCalls<string, string>(
    (input) => input.slice(0, 1),
    (input, signal) =>
      new Promise((resolve, reject) => {
        begun.push({ input, signal, resolve, reject })
      }),
  )
  return { begun, once, patient: new AbortController().signal }
}
const left = new Error('left')

describe('identical concurrent calls', () => {
  it('run once with the first input, and again after the result', async () => {
    const { begun, once, patient } = setUp()
    const [first, second, other] = [once('a1', patient), once('a2', patient), once('b1', patient)]
    expect(begun.map(({ input }) => input)).toEqual(['a1', 'b1'])
    begun[0]?.resolve('done')
    begun[1]?.resolve('other')
    expect(await Promise.all([first, second, other])).toEqual(['done', 'done', 'other'])
    once('a3', patient)
    expect(begun.map(({ input }) => input)).toEqual(['a1', 'b1', 'a3'])
  })

  it('all fail when the merged call fails', async () => {
    const { begun, once, patient } = setUp()
    const asked = [once('a1', patient), once('a2', patient)]
    begun[0]?.reject(new Error('broken'))
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'broken' } })
    }
    expect(begun).toHaveLength(1)
  })

  it('restart with the longest-waiting caller when the leader aborts', async () => {
    const { begun, once, patient } = setUp()
    const first = new AbortController()
    const asked = [once('a1', first.signal), once('a2', patient), once('a3', patient)]
    first.abort(left)
    await expect(asked[0]).rejects.toBe(left)
    await expect.poll(() => begun.map(({ input }) => input)).toEqual(['a1', 'a2'])
    expect(begun[0]?.signal.aborted).toBe(true)
    begun[1]?.resolve('done')
    expect(await Promise.all(asked.slice(1))).toEqual(['done', 'done'])
  })

  it('continue when a caller other than the leader aborts', async () => {
    const { begun, once, patient } = setUp()
    const second = new AbortController()
    const asked = [once('a1', patient), once('a2', second.signal)]
    second.abort(left)
    await expect(asked[1]).rejects.toBe(left)
    begun[0]?.resolve('done')
    expect(await asked[0]).toBe('done')
    expect(begun).toHaveLength(1)
  })
})
