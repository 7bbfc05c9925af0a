/** A thousand guesses at one address, by login, link or change. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Reachable, sendGuessStorm, serveOverSockets } from '../../identity/codes/testing/storm.ts'
import { type TestBrowser, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'

// A thousand concurrent calls.
vi.setConfig({ testTimeout: 120_000 })

const email = 'ada@example.com'
const tooMany = { status: 429, answer: { code: 'too_many_requests' } }

forEachEngine((database) => {
  let context: TestContext
  let server: Reachable
  let newBrowser: () => TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    const app = await testApp(context)
    server = await serveOverSockets(testServer(context))
    newBrowser = () => testBrowser(server, context, app)
  })
  afterEach(() => server.close())

  test('compares at most five of a thousand guesses from spoofed addresses with resends', async () => {
    const own = newBrowser()
    const [linking, changing] = [newBrowser(), newBrowser()]
    const linker = await linking.login('ben@example.com')
    const changer = await changing.login('carla@example.com')
    // Each has an outstanding code. Otherwise a guess is charged to its network only.
    const codes = [await own.codeFor(email), await linking.codeFor(email), await changing.codeFor(email)]
    const [right = ''] = codes
    const wrong = ['000000', '111111', '222222', '333333'].find((each) => !codes.includes(each)) ?? ''
    const attempts = [
      (headers: object) => own.call('loginWithEmailCode', { body: { email, code: wrong }, ...headers }),
      (headers: object) =>
        linking.call('linkEmail', { token: linker.token, body: { email, code: wrong }, ...headers }),
      (headers: object) =>
        changing.call('updateEmail', {
          token: changer.token,
          body: { oldAddress: 'carla@example.com', newAddress: email, code: wrong },
          ...headers,
        }),
    ]
    const answers = await sendGuessStorm(
      (index, headers) => {
        const attempt = attempts[index % 3]
        if (!attempt) throw new Error('There are three')
        return attempt({ headers })
      },
      () => linking.call('sendEmailCode', { body: { email } }),
    )
    const told = answers.map(({ status, answer }) => `${status} ${Object(answer).code}`)
    expect(told.filter((each) => each === '422 invalid_credentials')).toHaveLength(5)
    // On a busy machine, a call may be refused early.
    expect([...new Set(told)].filter((each) => each !== '503 unavailable').sort()).toEqual([
      '422 invalid_credentials',
      '429 too_many_requests',
    ])
    const login = () => own.call('loginWithEmailCode', { body: { email, code: right } })
    expect(await login()).toMatchObject(tooMany)
    // No other address was affected.
    expect(await newBrowser().login('dora@example.com')).toHaveProperty('token')
    context.clock.advanceSeconds(600)
    expect(await own.login(email)).toHaveProperty('token')
  })
})
