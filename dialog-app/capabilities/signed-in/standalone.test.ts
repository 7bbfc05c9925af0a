import { describe, expect, test } from 'vitest'
import { noSession } from '../../session/kept-session.ts'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, makeToken, visitorUser } from '../../testing/fixtures.ts'
import {
  type Answers,
  makeBrowser,
  makeFakeTransport,
  makeTab,
  makeWorld,
  refused,
  type WorldOptions,
} from '../../testing/world.ts'

const ok = () => ({ success: true }) as const
const answers: Answers = {
  sendEmailCode: ok,
  loginWithEmailCode: () => makeAuthAnswer(),
  me: () => visitorUser,
  logout: ok,
}

async function start(change: WorldOptions = {}) {
  const world = await makeWorld({ answers, standalone: true, ...change })
  void world.dialog.runStandalone()
  await settle()
  return world
}

describe('the dialog as a page of its own', () => {
  // spec L1.1, L2.3
  test('asks at once, without a way to close', async () => {
    const world = await start()
    expect(world.view()).toMatchObject({ open: true, standalone: true, header: { close: false } })
    expect(world.screen()).toBe('LANDING')
  })

  test('shows who is logged in after a login, and asks again after a logout', async () => {
    const world = await start()
    await world.enter(0, 'submit', 'ada@example.org')
    await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
    await world.clock.advance(1_600)
    expect(world.state('SIGNED_IN')).toMatchObject({
      status: 'ready',
      user: { email: { address: 'ada@example.org' } },
    })
    await world.press('SIGNED_IN', 'logOut')
    await world.clock.advance(200)
    expect(world.session.state().status).toBe('visitor')
    expect(world.screen()).toBe('LANDING')
  })

  // spec L1.1
  test('is never away, neither between a login and its end nor after a logout', async () => {
    const world = await start()
    const staysOpen = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        expect(world.view()?.open).toBe(true)
        expect(world.screen()).toBeDefined()
        await world.clock.advance(50)
      }
    }
    await world.enter(0, 'submit', 'ada@example.org')
    await world.press('AWAITING_PASSWORDLESS_CODE', 'submit', '123456')
    await staysOpen(40)
    expect(world.screen()).toBe('SIGNED_IN')
    await world.press('SIGNED_IN', 'logOut')
    await staysOpen(20)
    expect(world.screen()).toBe('LANDING')
  })

  test('knows who is logged in from the last visit', async () => {
    const browser = makeBrowser()
    const { keeper } = makeTab(browser, makeFakeTransport({}))
    keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    const world = await start({ browser })
    expect(world.screen()).toBe('SIGNED_IN')
  })

  test('says when it can not find out, and tries again', async () => {
    const browser = makeBrowser()
    const { keeper } = makeTab(browser, makeFakeTransport({}))
    keeper.write({ ...noSession, accessToken: makeToken(), refreshToken: 'refresh-1' })
    const changing: Answers = {
      ...answers,
      me: () => {
        throw refused('client_request_timeout', 408, 'No answer')
      },
    }
    const world = await start({ browser, answers: changing })
    expect(world.state('ERROR_SCREEN')).toMatchObject({ title: 'Timed out', detail: 'No answer' })
    changing.me = () => visitorUser
    await world.press('ERROR_SCREEN', 'retry')
    await world.clock.advance(200)
    expect(world.screen()).toBe('SIGNED_IN')
  })
})
