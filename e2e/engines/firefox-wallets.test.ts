/** Browser wallets and mobile wallets in Firefox. */
import { describe, expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { installWallet } from '../pages/wallet.ts'
import { phoneWallet } from '../phones/wallet.ts'
import { inFirefox } from './firefox.ts'
import type { Visitor } from './visitor.ts'

const firefox = inFirefox([
  'wallet_auth=true',
  'wallet_connect_cloud_project_id=0123456789abcdef0123456789abcdef',
])

type Account = { type: string; address?: string }
type CallResult = { user?: { linkedAccounts: readonly Account[] }; code?: string }

async function comeWith(...names: readonly string[]) {
  const visitor = await firefox.come()
  const { page } = visitor
  const wallets = []
  for (const name of names) {
    const rdns = name === 'MetaMask' ? 'io.metamask' : `example.${name.toLowerCase()}`
    wallets.push(
      await installWallet(
        {
          exposeFunction: (binding, run) => page.exposeFunction(binding, run),
          addInitScript: (run, given) => page.evaluateOnNewDocument(run, given),
        },
        { name, rdns },
      ),
    )
  }
  await visitor.openOneLine()
  return { visitor, page, wallets }
}

async function toWallets(visitor: Visitor) {
  const ended = await beginCall<CallResult>(visitor.page, 'login')
  await visitor.pressInDialog('Continue with a wallet')
  await visitor.dialogShows('Choose a wallet')
  return ended
}

describe('a wallet in the page, in Firefox', () => {
  // spec L2.44
  it('logs in after a rejection, and is offered first the next time', async () => {
    const { visitor, page, wallets } = await comeWith('MetaMask', 'Cairn')
    const [metaMask, cairn] = wallets
    const ended = await toWallets(visitor)
    expect((await visitor.choices()).slice(0, 2)).toEqual(['MetaMask Connect', 'Cairn Connect'])
    metaMask?.refuseNext('eth_requestAccounts')
    await visitor.pressInDialog('MetaMask')
    await visitor.dialogShows('Connection rejected')
    await visitor.pressInDialog('Try again')
    await visitor.dialogShows('Successfully connected')
    await visitor.dialogCloses()
    expect(await ended()).toMatchObject({
      user: {
        loginMethod: 'wallet',
        loginAccount: { address: metaMask?.address, connectorType: 'injected' },
      },
    })
    expect(metaMask?.messages()).toHaveLength(1)
    expect(cairn?.asked).toEqual([])

    await page.evaluate('latchkey.logout()')
    await toWallets(visitor)
    expect(await visitor.choices()).toContain('MetaMask Last used')
  }, 60_000)

  // spec L7.13
  it('links to a user and unlinks', async () => {
    const { visitor, page, wallets } = await comeWith('MetaMask', 'Cairn')
    const [metaMask, cairn] = wallets
    const loggedIn = await toWallets(visitor)
    await visitor.pressInDialog('MetaMask')
    await visitor.dialogCloses()
    await loggedIn()
    const linked = await beginCall<CallResult>(page, 'linkWallet')
    await visitor.dialogShows('Link your wallet')
    await visitor.pressInDialog('Cairn')
    await visitor.dialogCloses()
    expect((await linked()).user?.linkedAccounts.map(({ address }) => address)).toContain(cairn?.address)
    const unlinked = await beginCall<CallResult>(page, 'unlinkWallet', metaMask?.address)
    await visitor.pressInDialog('Unlink')
    await visitor.dialogCloses()
    const left = (await unlinked()).user?.linkedAccounts.map(({ address }) => address)
    expect(left).toContain(cairn?.address)
    expect(left).not.toContain(metaMask?.address)
  }, 60_000)
})

describe('WalletConnect in Firefox', () => {
  it('pairs with a phone by QR code, handles a rejection, and logs in', async () => {
    const phone = phoneWallet(firefox.stack.sandboxUrl)
    await phone.reset()
    const { visitor } = await comeWith()
    const ended = await toWallets(visitor)
    await visitor.pressInDialog('WalletConnect')
    await visitor.inDialog('Code that connects a wallet', '[role="img"]')
    const frame = await visitor.dialog()
    await phone.join(await frame.$eval('button[title^="wc:"]', (button) => button.title))
    await phone.says('approve')
    await visitor.dialogShows('Sign to verify')
    await phone.says('reject')
    await visitor.dialogShows('Connection rejected')
    await visitor.pressInDialog('Try again')
    await phone.says('approve')
    await visitor.dialogCloses()
    const { address } = await phone.state()
    expect(await ended()).toMatchObject({
      user: { loginMethod: 'wallet', loginAccount: { address, connectorType: 'wallet_connect' } },
    })
  }, 60_000)
})
