/** Second factors on the card: the six digits that are typed, and the passkeys that are listed. */
import { beforeEach, describe, expect, it } from 'vitest'
import { openShell, page } from '../../shell/testing/opened.ts'
import type { handle } from '../../shell/testing/shell-handle.ts'

beforeEach(() => openShell())

type Handle = typeof handle
const go = (...args: Parameters<Handle['go']>) => page.evaluate((given) => shell.go(...given), args)
const sent = () => page.evaluate(() => shell.sent())
const digits = () => page.getByRole('group').getByRole('textbox')
const values = () =>
  digits().evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.value : '')))
const focusedDigit = () => digits().evaluateAll((all) => all.findIndex((one) => one.matches(':focus')))

// spec L4.45, L5.12, L5.13
describe.each(['Enrollment code, app', 'Verify, app'])('the passcode of "%s"', (screen) => {
  beforeEach(async () => {
    await go(screen)
    await expect.poll(focusedDigit).toBe(0)
  })

  it('takes digits only, and says so', async () => {
    await page.keyboard.type('4a')
    await page.getByText('Passcode can only be numbers').waitFor()
    expect(await values()).toEqual(['4', '', '', '', '', ''])
    await page.keyboard.type('2')
    await page.getByText('Passcode can only be numbers').waitFor({ state: 'detached' })
  })

  it('takes six of them, and says so of fewer and of more', async () => {
    await page.keyboard.type('48203')
    await page.keyboard.press('Enter')
    await page.getByText('Passcode must be exactly 6 numbers').waitFor()
    expect(await sent()).not.toContainEqual(['submit', expect.anything()])
    await page.keyboard.type('9')
    expect(await sent()).toContainEqual(['submit', '482039'])
  })

  it('clears a digit by Backspace, and goes to the one before', async () => {
    await page.keyboard.type('482')
    expect(await focusedDigit()).toBe(3)
    await page.keyboard.press('Backspace')
    expect(await values()).toEqual(['4', '8', '', '', '', ''])
    expect(await focusedDigit()).toBe(2)
    await page.keyboard.press('Backspace')
    expect(await values()).toEqual(['4', '', '', '', '', ''])
    expect(await focusedDigit()).toBe(1)
  })
})

// spec L2.59
it('a method that was added has a button that removes it', async () => {
  await go('Verification methods, some added')
  expect(await page.getByText('Added', { exact: true }).count()).toBe(2)
  expect(await page.getByText('Remove', { exact: true }).count()).toBe(2)
  await page.getByRole('button', { name: 'Remove Authenticator App' }).click()
  await page.getByRole('button', { name: 'Remove Passkey' }).click()
  expect(await sent()).toEqual([
    ['remove', 'totp'],
    ['remove', 'passkey'],
  ])
})

// spec L2.63
it('the secret of an authenticator app is copied whole, and its button leads on', async () => {
  await go('TOTP, scan')
  await page.getByRole('heading', { name: 'Scan QR code', exact: true }).waitFor()
  await page.getByRole('button', { name: /Copy the key$/ }).click()
  await page.getByText('Copied').first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  expect(await sent()).toEqual([['continue']])
})

// spec L9.6
describe('the passkeys that a user has', () => {
  const devices = [
    'iCloud Keychain',
    'Chrome, Windows',
    'Unknown device',
    'Google Password Manager',
    '1Password',
  ]
  const listed = async () => {
    await page.getByRole('heading', { name: 'Set up passkey verification' }).waitFor()
    const counts = await Promise.all(
      devices.map(async (device) =>
        (await page.getByText(device, { exact: true }).count()) > 0 ? [device] : [],
      ),
    )
    return counts.flat()
  }
  const all = () => page.getByRole('button', { name: 'View All' })

  it('are all listed where there are three', async () => {
    await go('Passkey verification, three')
    expect(await listed()).toEqual(devices.slice(0, 3))
    expect(await all().count()).toBe(0)
  })

  it('are two of five until all are asked for', async () => {
    await go('Passkey verification, five')
    expect(await listed()).toEqual(devices.slice(0, 2))
    await all().click()
    await expect.poll(listed).toEqual(devices)
    expect(await all().count()).toBe(0)
    // The button that had the focus is gone, and the list has it.
    await page.locator(':focus').getByText('1Password').waitFor()
  })

  it('can be used still when adding one more came to nothing', async () => {
    const presses = () => page.evaluate(() => shell.presses())
    await go('Passkey verification, adding one more')
    await page.evaluate(() => shell.update('Passkey verification, three'))
    await page.getByRole('button', { name: 'Enable your passkeys for verification' }).click()
    expect(await presses()).toBe(1)
  })
})
