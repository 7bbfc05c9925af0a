/** Limits per network for mails and guesses, across addresses, browsers and sessions. */
import { beforeEach, expect, test } from 'vitest'
import { codeLimits } from '../../identity/codes/limits.ts'
import { type TestBrowser, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'

const attacker = '203.0.113.7'
const tooMany = { status: 429, answer: { code: 'too_many_requests' } }
const wrongCode = { status: 422, answer: { code: 'invalid_credentials' } }
const sent = { status: 200, answer: { success: true } }

test('guessing from one network for a day wins less than one account in a thousand', () => {
  expect(codeLimits.wrongGuessesPerDay).toBe(400)
  // Counts restart each day, so 24 hours contain the guesses of at most two days. Each guess is at the one outstanding code
  // of its address and browser, one of a million.
  expect(2 * 400 * 1 * 10 ** -6).toBeLessThan(10 ** -3)
})

forEachEngine((database, engine) => {
  let context: TestContext
  let from: (address: string) => TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    const app = await testApp(context)
    const server = testServer(context)
    from = (address) => testBrowser(server, context, app, address)
  })

  const send = (browser: TestBrowser, email: string) => browser.call('sendEmailCode', { body: { email } })
  const guess = (browser: TestBrowser, email: string, code: string) =>
    browser.call('loginWithEmailCode', { body: { email, code } })
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')
  /** Sends a code from this network, and guesses wrong. */
  async function wrongGuess(turn: number, address = attacker) {
    const browser = from(address)
    const email = `user${turn}@example.com`
    return guess(browser, email, wrongFor(await browser.codeFor(email)))
  }

  test('compares a hundred of the parallel guesses at many accounts', async () => {
    const tries = await Promise.all(
      Array.from({ length: 130 }, async (_, turn) => {
        const browser = from(attacker)
        const email = `user${turn}@example.com`
        return { browser, email, code: wrongFor(await browser.codeFor(email)) }
      }),
    )
    const answers = await Promise.all(tries.map(({ browser, email, code }) => guess(browser, email, code)))
    const told = answers.map(({ status }) => status)
    expect(told.filter((status) => status === 422)).toHaveLength(100)
    expect(told.filter((status) => status === 429)).toHaveLength(30)
  })

  if (!runsAllTests(engine)) return

  test('limits a mailbox to five mails in ten minutes, across plus tags', async () => {
    const tagged = (turn: number) => send(from(`203.0.113.${turn}`), `ada+${turn}@example.com`)
    for (let turn = 0; turn < 5; turn += 1) expect(await tagged(turn)).toMatchObject(sent)
    const refused = await tagged(5)
    expect(refused).toMatchObject(tooMany)
    expect(refused.headers.get('retry-after')).toBe('600')
    expect(await send(from(attacker), 'ada@example.com')).toMatchObject(tooMany)
    expect(context.mails).toHaveLength(5)
    // Another mailbox of the same server, and the same name on another server.
    expect(await send(from(attacker), 'adah@example.com')).toMatchObject(sent)
    expect(await send(from(attacker), 'ada@example.org')).toMatchObject(sent)
    context.clock.advanceSeconds(600)
    expect(await tagged(6)).toMatchObject(sent)
  })

  test('addresses with different tags are different users', async () => {
    const plain = await from(attacker).login('ada@example.com')
    const tagged = await from(attacker).login('ada+notes@example.com')
    expect(tagged.user.id).not.toBe(plain.user.id)
  })

  test('limits a network to three hundred mails in ten minutes, without affecting others', async () => {
    for (let turn = 0; turn < 300; turn += 1) {
      expect(await send(from(attacker), `user${turn}@example.com`)).toMatchObject(sent)
    }
    const refused = await send(from(attacker), 'another@example.com')
    expect(refused).toMatchObject(tooMany)
    expect(refused.headers.get('retry-after')).toBe('600')
    expect(context.mails).toHaveLength(300)
    expect(await send(from('203.0.113.8'), 'another@example.com')).toMatchObject(sent)
  })

  test('limits a network to a hundred guesses in ten minutes and four hundred a day, across accounts', async () => {
    const victim = from(attacker)
    for (let turn = 0; turn < 100; turn += 1) expect(await wrongGuess(turn)).toMatchObject(wrongCode)
    const refused = await wrongGuess(100)
    expect(refused).toMatchObject(tooMany)
    expect(refused.headers.get('retry-after')).toBe('600')
    // The right code too, since otherwise its response would reveal it. It is not consumed.
    const code = await victim.codeFor('eve@example.com')
    expect(await guess(victim, 'eve@example.com', code)).toMatchObject(tooMany)
    expect(await wrongGuess(101, '203.0.113.8')).toMatchObject(wrongCode)
    for (let turn = 200; turn < 500; turn += 1) {
      if (turn % 100 === 0) context.clock.advanceSeconds(600)
      expect(await wrongGuess(turn)).toMatchObject(wrongCode)
    }
    context.clock.advanceSeconds(600)
    expect(await wrongGuess(500)).toMatchObject(tooMany)
  })

  test('right codes are not charged to the network, and known browsers are not locked out by it', async () => {
    const known = from(attacker)
    await known.login('known@example.com')
    for (let turn = 0; turn < 99; turn += 1) await wrongGuess(turn)
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await from(attacker).login(`honest${turn}@example.com`)).toHaveProperty('token')
    }
    expect(await wrongGuess(99)).toMatchObject(wrongCode)
    expect(await wrongGuess(100)).toMatchObject(tooMany)
    expect(await known.login('known@example.com')).toHaveProperty('token')
  })

  test('limits a browser without a session to ten guesses in ten minutes and thirty a day, across networks', async () => {
    const browser = from(attacker)
    let turn = 0
    const one = async () => {
      turn += 1
      const email = `user${turn}@example.com`
      return guess(browser, email, wrongFor(await browser.codeFor(email)))
    }
    for (let window = 0; window < 3; window += 1) {
      for (let guessed = 0; guessed < 10; guessed += 1) expect(await one()).toMatchObject(wrongCode)
      const refused = await one()
      expect(refused).toMatchObject(tooMany)
      expect(refused.headers.get('retry-after')).toBe('600')
      context.clock.advanceSeconds(600)
    }
    expect(await one()).toMatchObject(tooMany)
    // In contrast, another browser of the same network succeeds with the next address.
    expect(await wrongGuess(turn + 1)).toMatchObject(wrongCode)
  })

  test('limits a browser to twenty mails in ten minutes and sixty a day, across addresses', async () => {
    const browser = from(attacker)
    let turn = 0
    const one = () => {
      turn += 1
      return send(browser, `user${turn}@example.com`)
    }
    for (let window = 0; window < 3; window += 1) {
      for (let mailed = 0; mailed < 20; mailed += 1) expect(await one()).toMatchObject(sent)
      const refused = await one()
      expect(refused).toMatchObject(tooMany)
      expect(refused.headers.get('retry-after')).toBe('600')
      context.clock.advanceSeconds(600)
    }
    expect(await one()).toMatchObject(tooMany)
    expect(context.mails).toHaveLength(60)
    expect(await send(from(attacker), 'another@example.com')).toMatchObject(sent)
  })

  test('limits a session to ten guesses in ten minutes, across addresses and networks', async () => {
    const browser = from(attacker)
    const { token } = await browser.login()
    const linkOne = async (turn: number) => {
      const email = `user${turn}@example.com`
      const code = wrongFor(await browser.codeFor(email))
      return browser.call('linkEmail', { token, body: { email, code } })
    }
    for (let turn = 0; turn < 10; turn += 1) expect(await linkOne(turn)).toMatchObject(wrongCode)
    expect(await linkOne(10)).toMatchObject(tooMany)
    const other = from(attacker)
    const session = await other.login('ben@example.com')
    const code = wrongFor(await other.codeFor('user11@example.com'))
    const body = { email: 'user11@example.com', code }
    expect(await other.call('linkEmail', { token: session.token, body })).toMatchObject(wrongCode)
  })
})
