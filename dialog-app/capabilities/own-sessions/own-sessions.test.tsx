import type { OwnSession } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { type Answers, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'

const current: OwnSession = {
  id: 'session-1',
  browser: 'Firefox',
  system: 'Linux',
  createdAt: 1_767_225_600,
  lastUsedAt: 1_767_312_000,
  isCurrent: true,
  opensWallets: false,
}
const phone: OwnSession = {
  ...current,
  id: 'session-2',
  browser: 'Safari',
  system: 'iPhone',
  isCurrent: false,
  opensWallets: true,
}
const unnamed: OwnSession = { ...phone, id: 'session-3', browser: null, system: null }

const unreachable = () => {
  throw refused('internal_error', 500)
}

async function openOwnSessions(answers: Answers = {}) {
  const fixture = await makeFixture({
    answers: {
      me: () => visitorUser,
      listOwnSessions: () => ({ sessions: [current, phone, unnamed] }),
      endOwnSession: () => ({ success: true }),
      endOtherSessions: () => ({ ended: 2 }),
      ...answers,
    },
    standalone: true,
  })
  fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
  void fixture.dialog.runStandalone()
  const page = renderDialog(fixture)
  await page.press('Where you are logged in')
  return { ...fixture, page }
}
const logOut = { name: 'Log out', description: 'Safari on iPhone' }

describe('the screen "Where you are logged in"', () => {
  test('lists browsers with their dates, and marks the present one', async () => {
    const { page, screen } = await openOwnSessions()
    await page.see('Firefox on Linux')
    expect(page.texts().join(' ')).toMatch(
      /Firefox on Linux .*This browser .*Safari on iPhone .*Can open your wallet .*Logged in .*Jan 1, 2026.* Last used .*Jan 2, 2026.* Unknown browser/,
    )
    expect(page.texts().filter((text) => text === 'Log out')).toHaveLength(2)
    await page.press('Back')
    expect(screen()).toBe('SIGNED_IN')
  })

  test('logs out one browser', async () => {
    const { page, transport } = await openOwnSessions()
    await page.press(logOut)
    await page.see('Safari on iPhone is logged out.')
    expect(transport.calls('endOwnSession')).toMatchObject([{ body: { id: 'session-2' } }])
    expect(page.has('Safari on iPhone')).toBe(false)
    expect(page.has('Unknown browser')).toBe(true)
  })

  test('logs out all other browsers', async () => {
    const { page } = await openOwnSessions()
    await page.press('Log out everywhere else')
    await page.see('You are logged out everywhere else.')
    expect(page.has('Firefox on Linux')).toBe(true)
    expect(page.has('Unknown browser')).toBe(false)
    expect(page.hasButton('Log out everywhere else')).toBe(false)
  })

  test('keeps a browser that could not be logged out, and tries again on request', async () => {
    let end: () => { success: true } = unreachable
    const { page } = await openOwnSessions({ endOwnSession: () => end() })
    await page.press(logOut)
    await page.see('Nothing was logged out: the server did not respond. Try again.')
    expect(page.has('Safari on iPhone')).toBe(true)
    end = () => ({ success: true })
    await page.press(logOut)
    await page.see('Safari on iPhone is logged out.')
  })

  test('loads again on request after the server did not respond', async () => {
    let list: () => { sessions: OwnSession[] } = unreachable
    const { page } = await openOwnSessions({ listOwnSessions: () => list() })
    await page.see('The list of browsers could not be loaded')
    list = () => ({ sessions: [current] })
    await page.press('Try again')
    await page.see('Firefox on Linux')
    expect(page.hasButton('Log out everywhere else')).toBe(false)
  })
})
