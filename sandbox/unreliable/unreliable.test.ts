import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
beforeEach(() => control('DELETE'))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const sending = (body: unknown, signal?: AbortSignal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  ...(signal && { signal }),
})
const send = (id: string, signal?: AbortSignal) => fetch(url('/unreliable/asks'), sending({ id }, signal))
const control = (method: 'DELETE') => fetch(url('/api/unreliable'), { method })
const behave = (answers: string) => fetch(url('/api/unreliable'), sending({ answers }))
const getState = async (query = '') => (await fetch(url(`/api/unreliable${query}`))).json()

test('the service responds and counts each id', async () => {
  expect(await (await send('a')).json()).toEqual({ id: 'a', number: 1, answer: 'yes' })
  expect(await (await send('b')).json()).toMatchObject({ id: 'b', number: 2 })
  expect(await (await send('a')).json()).toMatchObject({ id: 'a', number: 3 })
  expect(await getState()).toEqual({ answers: 'right', asked: { a: 2, b: 1 }, total: 3 })
})

test('a late service delays its response until another manner is set', async () => {
  await behave('late')
  const late = send('a')
  expect(await getState('?moreThan=0')).toMatchObject({ asked: { a: 1 } })
  await behave('right')
  expect(await (await late).json()).toMatchObject({ id: 'a', answer: 'yes' })
})

test('a service that responds twice sends a complete first response, which is the only one received', async () => {
  await behave('twice')
  expect(await (await send('a')).json()).toMatchObject({ id: 'a' })
  await behave('right')
  expect(await (await send('b')).json()).toMatchObject({ id: 'b', number: 2 })
})

test('a wrong service sends invalid JSON or an error', async () => {
  await behave('garbage')
  const garbage = await send('a')
  expect(garbage.status).toBe(200)
  await expect(garbage.json()).rejects.toThrow(SyntaxError)
  await behave('failure')
  expect((await send('a')).status).toBe(500)
  expect(await getState()).toMatchObject({ asked: { a: 2 } })
})

test('a service that never responds stays silent after another manner is set', async () => {
  await behave('never')
  const giveUp = new AbortController()
  const silent = send('a', giveUp.signal)
  expect(await getState('?moreThan=0')).toMatchObject({ asked: { a: 1 } })
  await behave('right')
  expect(await (await send('b')).json()).toMatchObject({ id: 'b' })
  giveUp.abort()
  await expect(silent).rejects.toThrow()
})

test('an unknown manner is rejected and changes nothing', async () => {
  expect((await behave('politely')).status).toBe(400)
  expect((await fetch(url('/unreliable/asks'), sending({}))).status).toBe(400)
  expect(await getState()).toEqual({ answers: 'right', asked: {}, total: 0 })
})
