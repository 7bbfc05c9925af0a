import { errorCodes, LatchkeyError } from '@latchkey/protocol'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { asLatchkeyError, failureAnswer } from './failures.ts'

const told = async (error: unknown) => {
  const app = new Hono().get('/', (c) => failureAnswer(c, asLatchkeyError(error)))
  return (await app.request('/')).json()
}

// spec L3.32
test('whatever fails is told with a code, and in words', async () => {
  expect(errorCodes.length).toBeGreaterThan(100)
  for (const code of errorCodes) {
    expect(await told(new LatchkeyError(code, 'In words'))).toEqual({ code, error: 'In words' })
  }
  for (const bug of [new TypeError('x of undefined'), 'thrown text', undefined]) {
    expect(await told(bug)).toEqual({ code: 'internal_error', error: 'Something went wrong' })
  }
})
