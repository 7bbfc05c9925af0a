/** Login methods that use a window or a phone, in Firefox. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FarcasterPhones } from '../phones/farcaster.ts'
import { watchRequests } from '../stack/https/front.ts'
import { telegramOn } from '../stack/ways-in.ts'
import { inFirefox } from './firefox.ts'
import { confirmAs, pressIn } from './login-window.ts'

const firefox = inFirefox(['google_oauth=true', 'farcaster_auth=true', ...telegramOn])

let somebody = ''
beforeEach(() => {
  somebody = `Somebody ${crypto.randomUUID().slice(0, 8)}`
})

describe.each([
  { title: 'Google', deny: 'Deny', start: '/oauth/start/' },
  { title: 'Telegram', deny: 'Decline', start: '/telegram/start/' },
])('$title in Firefox', ({ title, deny, start }) => {
  // spec L1.8, L8.37
  it('logs in the same user each time, waits while the window is open, and opens again after the user declined', async () => {
    const getRequests = watchRequests(firefox.stack)
    const visitor = await firefox.arrive()
    await visitor.openLogin()
    const window = await visitor.windowOf(() => visitor.pressInDialog(title))
    await visitor.dialogShows(`Waiting for ${title}`)
    await confirmAs(window, somebody)
    const navigation = { method: 'GET', site: 'same-origin', mode: 'navigate', dest: 'document' }
    expect(getRequests(start)[0]).toMatchObject(navigation)
    const wallet = await visitor.walletAddress()
    await visitor.dialogCloses()
    expect(window.isClosed()).toBe(true)
    await visitor.press('logout')

    await visitor.openLogin()
    await pressIn(await visitor.windowOf(() => visitor.pressInDialog(title)), deny)
    await visitor.dialogShows('Authentication failed')
    await visitor.dialogSays(`Retry and check ${title} to finish connecting your account.`)
    await confirmAs(await visitor.windowOf(() => visitor.pressInDialog('Retry')), somebody)
    expect(await visitor.walletAddress()).toBe(wallet)
    await visitor.dialogCloses()
  }, 60_000)
})

describe('Farcaster in Firefox', () => {
  it("accepts a phone's response to its code, and rejects a stolen one", async () => {
    const phones = new FarcasterPhones(firefox.stack)
    const visitor = await firefox.arrive()
    await visitor.openLogin()
    await visitor.pressInDialog('Farcaster')
    await visitor.inDialog('Code that opens your Farcaster app', '[role="img"]')
    await phones.phone(somebody, 'stolen')
    await visitor.dialogShows('Authentication failed')
    await visitor.pressInDialog('Retry')
    await visitor.inDialog('Code that opens your Farcaster app', '[role="img"]')
    await phones.phone(somebody)
    await visitor.dialogShows('Connected to Farcaster')
    await visitor.walletAddress()
    await visitor.dialogCloses()
  }, 60_000)
})
