/** The steps before and after a login in Firefox: captcha and terms. */

import { openInbox } from '@latchkey/sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { setFaults } from '../stack/faults.ts'
import { inFirefox } from './firefox.ts'

const firefox = inFirefox([
  'captcha_site_key=t:0x4AAAAAAAsite',
  'captcha_enabled=true',
  'require_users_accept_terms=true',
  'terms_and_conditions_url=https://fieldnotes.example/terms',
])
afterEach(() => setFaults(firefox.stack, { turnstileWidget: 'none' }))

describe('captcha and terms in Firefox', () => {
  it('logs in after a passed captcha and accepted terms', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    await setFaults(firefox.stack, { turnstileWidget: 'interactive' })
    const visitor = await firefox.arrive()
    await visitor.openLogin()
    await visitor.page.keyboard.type(inbox.address)
    await visitor.page.keyboard.press('Enter')
    const widget = await visitor.page.waitForFrame((frame) => frame.url().includes('/turnstile/'))
    const human = await widget.waitForSelector('#human', { visible: true })
    // The dialog polls the widget, and makes room for it afterwards.
    await visitor.dialogSays('Tick the box below to continue.')
    await visitor.dialogStands()
    await human?.click()
    await visitor.dialogFocuses('input[inputmode="numeric"]')
    await visitor.typeCode(await inbox.nextCode())
    await visitor.dialogShows('One last step')
    await visitor.pressInDialog('Accept')
    await visitor.dialogCloses()
    await visitor.isLoggedIn(inbox)
    await visitor.walletAddress()
  }, 60_000)

  // spec L4.39
  it('retries a failed captcha, and logs out if the terms are declined', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    await setFaults(firefox.stack, { turnstileWidget: 'fails' })
    const visitor = await firefox.arrive()
    await visitor.openLogin()
    await visitor.page.keyboard.type(inbox.address)
    await visitor.page.keyboard.press('Enter')
    await visitor.dialogSays('You did not pass CAPTCHA. Please try again.')
    expect(await inbox.count()).toBe(0)
    await setFaults(firefox.stack, { turnstileWidget: 'none' })
    await visitor.pressInDialog('Try again')
    await visitor.dialogFocuses('input[inputmode="numeric"]')
    await visitor.typeCode(await inbox.nextCode())
    await visitor.pressInDialog('No thanks')
    await visitor.dialogCloses()
    await visitor.receives('exited_auth_flow')
  }, 60_000)
})
