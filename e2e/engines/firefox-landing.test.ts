/** LANDING with every login method, in Firefox. */
import { describe, expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { everyWayInOn } from '../stack/ways-in.ts'
import { inFirefox } from './firefox.ts'
import { confirmAs } from './login-window.ts'

const firefox = inFirefox(everyWayInOn)

/** Opens a login after setting this config. */
async function openLogin(config: object = {}) {
  const visitor = await firefox.come()
  await visitor.openOneLine()
  await (await beginCall(visitor.page, 'setConfig', config))()
  await beginCall(visitor.page, 'login')
  await visitor.dialogShows('Log in to Fieldnotes')
  return visitor
}

const fields = ['E-mail', 'Country', 'Phone number']
const otherAccounts = [
  'Apple',
  'Discord',
  'GitHub',
  'LinkedIn',
  'Spotify',
  'Instagram',
  'X',
  'TikTok',
  'Farcaster',
  'Telegram',
]

describe('LANDING in Firefox', () => {
  // spec L2.19, L2.22
  it('shows the fields and one account first, and the rest in views with a back button', async () => {
    const visitor = await openLogin()
    await visitor.dialogFocuses('input[type="email"]')
    const choices = [...fields, 'Google', 'Other socials', 'Continue with a wallet', 'I have a passkey']
    expect(await visitor.choices()).toEqual(choices)

    await visitor.pressInDialog('Other socials')
    await visitor.dialogShows('Other socials')
    expect(await visitor.choices()).toEqual(otherAccounts)
    await visitor.pressInDialog('Back')
    await visitor.dialogShows('Log in to Fieldnotes')

    await visitor.pressInDialog('Continue with a wallet')
    await visitor.dialogShows('Choose a wallet')
    expect(await visitor.choices()).toHaveLength(9)
    await visitor.pressInDialog('Back')
    await visitor.dialogShows('Log in to Fieldnotes')
    expect(await visitor.choices()).toEqual(choices)
  }, 60_000)

  it('opens views by keyboard alone, and marks the last used method there, but not after a failed login', async () => {
    const person = `Somebody ${crypto.randomUUID().slice(0, 8)}`
    const visitor = await openLogin()
    await visitor.dialogFocuses('input[type="email"]')
    await visitor.tabTo('Other socials')
    await visitor.page.keyboard.press('Enter')
    await visitor.dialogShows('Other socials')
    await visitor.tabTo('Discord')
    await visitor.tabTo('Back', 'back')
    await visitor.page.keyboard.press('Enter')
    await visitor.dialogShows('Log in to Fieldnotes')
    await visitor.tabTo('Google')

    await visitor.pressInDialog('Other socials')
    await confirmAs(await visitor.windowOf(() => visitor.pressInDialog('GitHub')), person)
    await visitor.dialogCloses()
    await visitor.page.evaluate('latchkey.logout()')
    await beginCall(visitor.page, 'login')
    await visitor.dialogShows('Log in to Fieldnotes')
    expect((await visitor.choices()).filter((each) => each.endsWith('Last used'))).toEqual([
      'Other socials Last used',
    ])
    await visitor.pressInDialog('Other socials')
    await visitor.dialogShows('Other socials')
    expect((await visitor.choices()).filter((each) => each.endsWith('Last used'))).toEqual([
      'GitHub Last used',
    ])
  }, 60_000)

  // spec L2.19
  it('shows wallets first if the host page requests it', async () => {
    const visitor = await openLogin({
      appearance: {
        loginGroupPriority: 'web3-first',
        walletList: ['rainbow', 'metamask', 'phantom', 'zerion', 'okx_wallet'],
      },
    })
    expect(await visitor.choices()).toEqual([
      'Rainbow Connect',
      'MetaMask Connect',
      'Phantom Connect',
      'Other wallets',
      ...fields,
      'Google',
      'Other socials',
      'I have a passkey',
    ])
    await visitor.pressInDialog('Other wallets')
    await visitor.dialogShows('Choose a wallet')
    expect(await visitor.choices()).toEqual(['Zerion Connect', 'OKX Wallet Connect'])
  }, 60_000)

  // spec L2.18
  it('shows only the methods of the host page, in its order', async () => {
    const visitor = await openLogin({
      loginMethodsAndOrder: { primary: ['google', 'email'], overflow: ['telegram', 'passkey'] },
    })
    expect(await visitor.choices()).toEqual(['Google', 'E-mail', 'More options'])
    await visitor.pressInDialog('More options')
    await visitor.dialogShows('More options')
    expect(await visitor.choices()).toEqual(['Telegram', 'I have a passkey'])
  }, 60_000)
})
