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

test('a text that the database does not take was wrong data of whoever called', async () => {
  const refusal = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  expect(await told(refusal)).toEqual({
    code: 'invalid_data',
    error: 'Something is not as it should be',
    details: { path: '' },
  })
  expect(asLatchkeyError(refusal).cause).toBe(refusal)
})

test('whoever is told that the server is busy is told when to come again', async () => {
  const afterOf = async (error: unknown) => {
    const app = new Hono().get('/', (c) => failureAnswer(c, asLatchkeyError(error)))
    return (await app.request('/')).headers.get('retry-after')
  }
  expect(await afterOf(Object.assign(new Error('away'), { code: '57P01' }))).toBe('1')
  expect(await afterOf(new LatchkeyError('invalid_data', 'Wrong'))).toBeNull()
})
