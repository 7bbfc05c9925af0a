import { fileURLToPath } from 'node:url'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import type { Browser, Page } from '@playwright/test'
import { HostPage } from '../pages/host-page.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, openDevice, test } from '../test.ts'

/** Returns the address with a one-use code that a host page sends to another browser of its user. */
async function addressWithCode(page: Page, host: HostPage): Promise<string> {
  await host.openOneLine()
  const code = await page.evaluate<string>('latchkey.forkSession().then(({ code }) => code)')
  return `/?shown=1&latchkey_token=${encodeURIComponent(code)}#code`
}

async function inAnotherBrowser(browser: Browser, stack: Stack, use: (host: HostPage) => Promise<void>) {
  const context = await openDevice(browser)
  try {
    await use(new HostPage(await context.newPage(), stack))
  } finally {
    await context.close()
  }
}

const isLoggedIn = (host: HostPage, { address }: Inbox) =>
  expect(host.byTestId('user-email')).toHaveText(address)
const addressIsClean = (host: HostPage) =>
  expect(host.page).toHaveURL(`${host.stack.hostOrigin}/?shown=1#code`)

// spec L2.9
test('a one-use code in the address logs its user in once, and is removed from the address', async ({
  host,
  inbox,
  page,
  browser,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  const wallet = await host.walletAddress()
  const address = await addressWithCode(page, host)
  await inAnotherBrowser(browser, stack, async (there) => {
    await there.open(address)
    await isLoggedIn(there, inbox)
    await addressIsClean(there)
    expect(await there.walletAddress()).toBe(wallet)
    await there.page.reload()
    await isLoggedIn(there, inbox)
  })
  await inAnotherBrowser(browser, stack, async (late) => {
    const refused = late.page.waitForResponse(/\/sessions\/code\/redeem$/)
    await late.open(address)
    expect((await refused).ok()).toBe(false)
    await expect(late.byTestId('login')).toBeVisible()
    await addressIsClean(late)
  })
  await host.open()
  await isLoggedIn(host, inbox)
})

// spec L2.10
test('a one-use code in the address does not replace a logged-in user', async ({
  host,
  inbox,
  page,
  browser,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  const address = await addressWithCode(page, host)
  await inAnotherBrowser(browser, stack, async (there) => {
    const other = openInbox(stack.sandboxUrl)
    await there.open()
    await there.logIn(other)
    await there.open(address)
    await isLoggedIn(there, other)
    await addressIsClean(there)
  })
})

const builtLoader = (file: string) => fileURLToPath(new URL(`../../loader/dist/${file}`, import.meta.url))

/** Creates a client, destroys it and creates it again, like React's StrictMode does with an effect. */
const userOfSecondClient = ({ dialogOrigin }: Stack) => `
  import('/loader/index.js').then(({ createLatchkey }) => {
    const create = () => createLatchkey({ appId: '${appId}', dialogUrl: '${dialogOrigin}' })
    create().destroy()
    return create().getUser()
  })`

test('a one-use code survives a client that the page destroys at once', async ({
  host,
  inbox,
  page,
  browser,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  const address = await addressWithCode(page, host)
  const userId = await page.evaluate<string>('latchkey.getUser().then(({ id }) => id)')
  await inAnotherBrowser(browser, stack, async (there) => {
    await there.page.route(`${stack.hostOrigin}/loader/*`, (route) =>
      route.fulfill({ path: builtLoader(new URL(route.request().url()).pathname.slice('/loader/'.length)) }),
    )
    // Otherwise the client of the page's own script would handle it first.
    await there.page.route(/\/loader\.js$/, (route) => route.abort())
    await there.open(address.replace('/?', '/one-line.html?'))
    expect(await there.page.evaluate(userOfSecondClient(stack))).toMatchObject({ id: userId })
    await expect(there.page).toHaveURL(`${stack.hostOrigin}/one-line.html?shown=1#code`)
  })
})
