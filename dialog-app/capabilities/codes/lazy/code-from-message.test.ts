import { expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { tellCodes } from './code-from-message.ts'

/** A browser that offers codes as they come. */
function makeCredentials() {
  const asked: CredentialRequestOptions[] = []
  let waiting: PromiseWithResolvers<Credential | null> | undefined
  const arrives = (credential: object | null) => waiting?.resolve(credential as Credential | null)
  return {
    asked,
    arrives,
    fails: () => waiting?.reject(new DOMException('No', 'NotAllowedError')),
    get(options: CredentialRequestOptions = {}) {
      asked.push(options)
      waiting = Promise.withResolvers()
      const { reject } = waiting
      options.signal?.addEventListener('abort', () => reject(new DOMException('Left', 'AbortError')))
      return waiting.promise
    },
  }
}

function start() {
  const credentials = makeCredentials()
  const screen = new AbortController()
  const told: string[] = []
  let isOver = false
  const browser = { OTPCredential: class {}, navigator: { credentials } }
  void tellCodes(screen.signal, ({ code }) => told.push(code), browser).then(() => {
    isOver = true
  })
  return { credentials, screen, told, isOver: () => isOver }
}

test('requests codes from the browser, and reports each', async () => {
  const { credentials, told } = start()
  expect(credentials.asked).toEqual([{ otp: { transport: ['sms'] }, signal: expect.any(AbortSignal) }])
  credentials.arrives({ type: 'otp', code: '123456' })
  await settle()
  expect(told).toEqual(['123456'])
})

test('waits for another message after a code, which may be wrong or outdated', async () => {
  const { credentials, told } = start()
  credentials.arrives({ type: 'otp', code: '123456' })
  await settle()
  credentials.arrives({ type: 'otp', code: '654321' })
  await settle()
  expect(told).toEqual(['123456', '654321'])
  expect(credentials.asked).toHaveLength(3)
})

test('reports no code after the screen aborted the request', async () => {
  const { credentials, screen, told, isOver } = start()
  screen.abort()
  await settle()
  expect(credentials.asked[0]?.signal?.aborted).toBe(true)
  expect(isOver()).toBe(true)
  expect(credentials.asked).toHaveLength(1)
  expect(told).toEqual([])
})

test.each([
  ['refuses', (credentials: ReturnType<typeof makeCredentials>) => credentials.fails()],
  ['has none', (credentials: ReturnType<typeof makeCredentials>) => credentials.arrives(null)],
  ['has another kind', (credentials: ReturnType<typeof makeCredentials>) => credentials.arrives({ id: 'x' })],
])('a browser that %s is not asked again', async (_what, answer) => {
  const { credentials, told, isOver } = start()
  answer(credentials)
  await settle()
  expect(isOver()).toBe(true)
  expect(credentials.asked).toHaveLength(1)
  expect(told).toEqual([])
})

test('does nothing in a browser without WebOTP', async () => {
  const credentials = makeCredentials()
  await tellCodes(new AbortController().signal, () => {}, { navigator: { credentials } })
  expect(credentials.asked).toEqual([])
})
