/** Phone numbers and account linking in Firefox. */

import { openInbox, openPhone } from '@latchkey/sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { call, logInByEmail } from '../pages/page-calls.ts'
import { setFaults } from '../stack/faults.ts'
import { inFirefox } from './firefox.ts'
import { confirmAs } from './login-window.ts'
import type { Visitor } from './visitor.ts'

const firefox = inFirefox(['sms_auth=true', 'google_oauth=true'])
afterEach(() => setFaults(firefox.stack, { twilio: 'none' }))

/** Types a number whose country is already selected. */
async function askForMessage(visitor: Visitor, national: string) {
  const frame = await visitor.dialog()
  const field = await frame.waitForSelector('input[type="tel"]', { visible: true })
  if (!field) throw new Error('No phone field found')
  await field.click()
  await visitor.page.keyboard.type(national)
  const typed = await field.evaluate((input) => input.value)
  expect(typed).toBe(`(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`)
  await visitor.page.keyboard.press('Enter')
}
const getNationalNumber = ({ address }: { address: string }) => address.slice('+1'.length)

describe('SMS in Firefox', () => {
  // spec L1.3, L8.5
  it('formats the number while typing, shows an error for a region without SMS, and accepts the code of its message', async () => {
    const phone = openPhone(firefox.stack.sandboxUrl)
    await setFaults(firefox.stack, { twilio: 'blocked-region' })
    const visitor = await firefox.arrive()
    await visitor.openLogin()
    await askForMessage(visitor, getNationalNumber(phone))
    await visitor.dialogShows('This region is not supported')
    await visitor.pressInDialog('Try another method')
    await visitor.dialogShows('Log in to Fieldnotes')
    await setFaults(firefox.stack, { twilio: 'none' })
    await visitor.page.keyboard.press('Escape')
    await visitor.dialogCloses()
    await visitor.openLogin()
    await askForMessage(visitor, getNationalNumber(phone))
    await visitor.dialogFocuses('input[inputmode="numeric"]')
    const code = await phone.nextCode()
    await visitor.typeCode(code === '000000' ? '111111' : '000000')
    await visitor.dialogSays('Invalid or expired verification code')
    await visitor.codeIsCleared()
    await visitor.typeCode(code)
    await visitor.isLoggedInAs(`+1 ${getNationalNumber(phone)}`)
    await visitor.walletAddress()
    await visitor.dialogCloses()
  }, 60_000)
})

describe('accounts in Firefox', () => {
  async function comeByEmail() {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    const visitor = await firefox.come()
    await visitor.openOneLine()
    await logInByEmail({ page: visitor.page, host: visitor, inbox })
    return { inbox, visitor, page: visitor.page }
  }

  // spec L7.12, L8.35
  it('are linked and unlinked except the last, and one of another user is rejected', async () => {
    const { inbox, visitor, page } = await comeByEmail()
    const phone = openPhone(firefox.stack.sandboxUrl)
    const linked = call(page, 'linkPhone')
    await visitor.dialogShows('Link your phone number')
    await askForMessage(visitor, getNationalNumber(phone))
    await visitor.dialogFocuses('input[inputmode="numeric"]')
    await visitor.typeCode(await phone.nextCode())
    expect((await linked).linkedAccounts.map(({ type }) => type)).toContain('phone')
    await visitor.dialogCloses()

    const unlinked = call(page, 'unlinkPhone', `+1 ${getNationalNumber(phone)}`)
    await visitor.pressInDialog('Unlink')
    expect((await unlinked).linkedAccounts.map(({ type }) => type)).not.toContain('phone')
    await visitor.dialogCloses()

    const last = call(page, 'unlinkEmail', inbox.address)
    await visitor.pressInDialog('Unlink')
    await visitor.dialogSays('This is the only way to log in to your account.')
    await page.keyboard.press('Escape')
    expect((await last).code).toBe('cannot_unlink_sole_account')
    await visitor.dialogCloses()

    const person = `Somebody ${crypto.randomUUID().slice(0, 8)}`
    const linkedGoogle = call(page, 'linkGoogle')
    await visitor.dialogShows('Link your Google account')
    await confirmAs(await visitor.windowOf(() => visitor.pressInDialog('Continue with Google')), person)
    expect((await linkedGoogle).linkedAccounts.map(({ type }) => type)).toContain('google_oauth')
    await visitor.dialogCloses()
    await call(page, 'logout')

    const other = await comeByEmail()
    const refused = call(other.page, 'linkGoogle')
    await other.visitor.dialogShows('Link your Google account')
    await confirmAs(
      await other.visitor.windowOf(() => other.visitor.pressInDialog('Continue with Google')),
      person,
    )
    await other.visitor.dialogSays('This account has already been linked to another user.')
    await other.page.keyboard.press('Escape')
    expect((await refused).code).toBe('linked_to_another_user')
  }, 90_000)
})
