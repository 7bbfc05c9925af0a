/** Actions that need the confirmation page, from the host page to the chain. */
import type { Page } from '@playwright/test'
import { type Hex, parseEther } from 'viem'
import { verifyMessage, verifyTypedData } from 'viem/utils'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, openPage, toPage } from '../pages/confirm-page.ts'
import type { HostPage } from '../pages/host-page.ts'
import { openWindow } from '../pages/login-window.ts'
import { isReached } from '../pages/pointer.ts'
import { getProvider } from '../pages/provider.ts'
import { beginRequest, createChainClient, permit, press, someone } from '../pages/transactions.ts'
import { changeDatabase } from '../stack/database.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

// Each test opens and checks two pages.
test.describe.configure({ mode: 'default', timeout: 90_000 })

let wallet: Hex = '0x'
/** A tenth of an ether: 250 dollars at the price feed's 2,500. */
const send = { to: someone, value: '0x16345785d8a0000' }
/** 75 dollars, of the 100 that the card may approve per day. */
const sendLittle = { to: someone, value: '0x6a94d74f430000' }

// No chain is a test network.
test.use({ settings: ['rpc_urls.31337=[{chain}]'], isLoggedIn: true })
test.beforeEach(async ({ stack, walletAddress: address }) => {
  wallet = address
  const chain = createChainClient(stack.chainUrl)
  await chain.setAutomine(true)
  await chain.setBalance({ address: wallet, value: parseEther('1') })
})

const rejected = { code: 'user_rejected_request', details: { code: 4001 } }

test.describe('a transaction with value', () => {
  test.beforeEach(({ host }) => host.openOneLine())

  test('is reviewed again on its page, confirmed there, and mined', async ({
    host,
    page,
    context,
    stack,
  }) => {
    const chain = createChainClient(stack.chainUrl)
    const before = await chain.getBalance({ address: someone })
    const ended = await beginRequest(page, 'sendTransaction', send)
    await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    await expect(host.dialog.getByText('This is more than you can approve here today')).toBeVisible()
    await expect(host.dialog.getByRole('button', { name: 'Submit' })).toHaveCount(0)
    await expectNoViolations(page, 'The way to the page')
    const confirmation = await openPage(host, context)
    await expect(host.dialog.getByText('Confirm on the page that opened')).toBeVisible()
    // The card still shows the request.
    await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    await expectNoViolations(page, 'Waiting for the page')
    await expect(confirmation.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    const { host: origin } = new URL(stack.hostOrigin)
    for (const text of ['From', 'To', 'Send 0.1 ETH', 'Fees at most', 'Worth at most', origin]) {
      await expect(confirmation.getByText(text, { exact: true }).first()).toBeVisible()
    }
    await expect(confirmation.locator('.amount')).toHaveText('0.1 ETH')
    await expectNoViolations(confirmation, 'The page', 'host')
    await confirmation.setViewportSize({ width: 480, height: 560 })
    await expect(confirmation.getByRole('button', { name: 'Submit' })).toBeInViewport({ ratio: 1 })
    await confirm(confirmation, 'Submit')
    await expect(host.dialog.getByText('Transaction complete!')).toBeVisible()
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
    expect((await chain.getBalance({ address: someone })) - before).toBe(parseEther('0.1'))
  })

  test('is refused on its page, by closing or reloading it, and by cancelling on the card', async ({
    host,
    page,
    context,
  }) => {
    const request = async () => {
      await page.bringToFront()
      const ended = await beginRequest(page, 'sendTransaction', send)
      const confirmation = await openPage(host, context)
      await expect(confirmation.getByRole('button', { name: 'Refuse' })).toBeVisible()
      return { ended, confirmation }
    }
    const pressed = await request()
    await pressed.confirmation.getByRole('button', { name: 'Refuse' }).click()
    await expect(pressed.confirmation.getByRole('heading', { name: 'Refused' })).toBeVisible()
    expect(await pressed.ended()).toMatchObject(rejected)
    await host.dialogCloses()

    const closed = await request()
    await closed.confirmation.close({ runBeforeUnload: true })
    expect(await closed.ended()).toMatchObject(rejected)
    await host.dialogCloses()

    const reloaded = await request()
    await reloaded.confirmation.reload()
    expect(await reloaded.ended()).toMatchObject(rejected)
    // Its address is no longer valid.
    await expect(
      reloaded.confirmation.getByRole('heading', { name: 'There is no such request' }),
    ).toBeVisible()
    await host.dialogCloses()

    const cancelled = await request()
    await host.dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await cancelled.ended()).toMatchObject(rejected)
    await host.dialogCloses()
    await expect(cancelled.confirmation.getByRole('heading', { name: 'Refused' })).toBeVisible()
    await expect(cancelled.confirmation.getByRole('heading', { name: 'Confirmed' })).toHaveCount(0)
  })

  test('expires after five minutes on page and card, and can be requested again', async ({
    host,
    page,
    context,
    stack,
  }) => {
    await beginRequest(page, 'sendTransaction', send)
    const confirmation = await openPage(host, context)
    await expect(confirmation.getByRole('button', { name: 'Refuse' })).toBeVisible()
    changeDatabase(stack.databaseFile, 'update confirmations set expires_at = expires_at - 300')
    await expect(host.dialog.getByText('The transaction was not confirmed in time.')).toBeVisible()
    await expect(confirmation.getByRole('heading', { name: 'This request has expired' })).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Retry transaction' }).click()
    const another = await openPage(host, context)
    await confirm(another, 'Submit')
    await expect(host.dialog.getByText('Transaction complete!')).toBeVisible()
  })

  test("that differs from the server's request cannot be confirmed", async ({ host, page, context }) => {
    await context.route('**/api/v1/confirmations/read', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), digest: `0x${'0'.repeat(64)}` },
      })
    })
    await beginRequest(page, 'sendTransaction', send)
    const confirmation = await openPage(host, context)
    await expect(confirmation.getByRole('heading', { name: 'This request was blocked' })).toBeVisible()
    await expect(confirmation.getByRole('button')).toHaveCount(0)
  })
})

test('typed data is confirmed on its page and signed as shown', async ({ host, page, context }) => {
  await host.openOneLine()
  const asked = permit(wallet, 31_337)
  const ended = await beginRequest(page, 'signTypedData', asked)
  await expect(host.dialog.getByText('This lets someone take your assets')).toBeVisible()
  const confirmation = await openPage(host, context)
  await expect(confirmation.getByText(`This lets ${someone} take up to 5000000`)).toBeVisible()
  await expectNoViolations(confirmation, 'The page of typed data', 'host')
  await confirm(confirmation, 'Sign and continue')
  await expect(host.dialog.getByText('Success')).toBeVisible()
  const { value } = await ended()
  const { signature, address } = value as { signature: Hex; address: Hex }
  const { types, domain, message } = asked
  const given = { address, types, domain, message, primaryType: 'Permit', signature }
  expect([address, await verifyTypedData(given as never)]).toEqual([wallet, true])
})

test.describe('typed data requested from the provider in a click handler', () => {
  const asking = (page: Page) => page.getByRole('button', { name: 'Ask for a permit' })

  /** A page with a button, like a trading app. */
  async function openPageWithButton(page: Page, host: HostPage) {
    await host.openOneLine()
    const provider = await getProvider(page)
    await provider.request({ method: 'eth_accounts' })
    await page.evaluate(
      ([address, data]) => {
        const button = document.createElement('button')
        button.textContent = 'Ask for a permit'
        button.onclick = () => {
          const provider = Reflect.get(globalThis, 'provider') as {
            request(asked: unknown): Promise<unknown>
          }
          const request = { method: 'eth_signTypedData_v4', params: [address, data] }
          const asked = provider.request(request).catch(({ code }) => ({ code }))
          Object.assign(globalThis, { asked })
        }
        document.body.append(button)
      },
      [wallet, permit(wallet, 31_337)] as const,
    )
  }
  const answerTo = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'asked') as unknown)

  test('is refused by closing the window that the click opens, or confirmed there on a single screen', async ({
    host,
    page,
    context,
  }) => {
    await openPageWithButton(page, host)
    const refused = await openWindow(context, asking(page))
    await expect(refused.getByRole('button', { name: 'Refuse' })).toBeVisible()
    await refused.close({ runBeforeUnload: true })
    expect(await answerTo(page)).toEqual({ code: 4001 })
    await host.dialogCloses()

    const window = await openWindow(context, asking(page))
    // The address contains nothing of the request, and the window has no name by which a page could navigate
    // it.
    await expect(window.getByText(`This lets ${someone} take up to 5000000`)).toBeVisible()
    expect(new URL(window.url()).pathname).toBe(`/apps/${appId}/confirm`)
    expect(await window.evaluate(() => [Reflect.get(globalThis, 'name'), location.hash])).toEqual(['', ''])
    const closed = window.waitForEvent('close')
    await confirm(window, 'Sign and continue')
    const { types, domain, message } = permit(wallet, 31_337)
    const signature = (await answerTo(page)) as Hex
    const given = { address: wallet, types, domain, message, primaryType: 'Permit', signature }
    expect(await verifyTypedData(given as never)).toBe(true)
    await closed
  })

  test('is shown only in the window of that click', async ({ host, page, context, stack }) => {
    await openPageWithButton(page, host)
    // A page that another script opens by name shows nothing and closes itself.
    const [own] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(
        (address) => void open(address),
        `${stack.walletOrigin}/apps/${appId}/confirm#w.${'n'.repeat(43)}`,
      ),
    ])
    await expect(own.getByRole('heading', { name: 'One moment' })).toBeVisible()
    await page.bringToFront()
    const window = await openWindow(context, asking(page))
    await expect(window.getByRole('button', { name: 'Refuse' })).toBeVisible()
    await expect(own.getByRole('button', { name: 'Refuse' })).toHaveCount(0)
    await own.waitForEvent('close')
    await confirm(window, 'Sign and continue')
    expect(await answerTo(page)).toMatch(/^0x/)
  })

  test('is confirmed with the button on its card if the window was blocked', async ({
    host,
    page,
    context,
  }) => {
    await openPageWithButton(page, host)
    await page.evaluate(() => Object.assign(globalThis, { open: () => null }))
    await isReached(asking(page))
    await asking(page).click()
    const confirmation = await openPage(host, context)
    await confirm(confirmation, 'Sign and continue')
    expect(await answerTo(page)).toMatch(/^0x/)
  })
})

test('bytes that are no text are shown as bytes, confirmed on the page, and signed as bytes', async ({
  host,
  page,
  context,
}) => {
  await host.openOneLine()
  const raw = `0x${'9f3a'.repeat(16)}` as const
  const provider = await getProvider(page)
  const signing = provider.request({ method: 'personal_sign', params: [raw, wallet] })
  await expect(host.dialog.getByText('This is not readable text')).toBeVisible()
  const confirmation = await openPage(host, context)
  await expect(confirmation.getByText(raw, { exact: true })).toBeVisible()
  await confirm(confirmation, 'Sign and continue')
  const signature = (await signing) as Hex
  expect(await verifyMessage({ address: wallet, message: { raw }, signature })).toBe(true)
})

test.describe('with a host opener policy that cuts off the page', () => {
  test.beforeEach(({ host }) => host.openOneLine('?coop=1'))

  test('the button may be pressed again, and opens a page that shows that it is disconnected', async ({
    host,
    page,
    context,
  }) => {
    await beginRequest(page, 'sendTransaction', send)
    await openPage(host, context)
    await expect(
      host.dialog.getByText('If you don’t see the page, your browser may have blocked it.'),
    ).toBeVisible()
    await expect(toPage(host.dialog)).toHaveText('Open again')
    const unseen = await openPage(host, context)
    const { origin, pathname } = new URL(unseen.url())
    expect(origin + pathname).toBe(`${host.stack.walletOrigin}/apps/${appId}/confirm`)
    // The operator has not set that the app cuts off windows.
    await unseen.getByRole('button', { name: 'Continue with a code' }).click()
    await expect(unseen.getByRole('heading', { name: 'The app that asked is gone' })).toBeVisible()
  })

  test('a code from a mail, which names the request and where to type it, confirms it', async ({
    host,
    page,
    context,
    inbox,
    stack,
  }) => {
    await stack.app('set', appId, 'cross_origin_opener_policy=same-origin')
    const ended = await beginRequest(page, 'sendTransaction', send)
    const confirmation = await openPage(host, context)
    await expect(confirmation.getByText('Send 0.1 ETH')).toBeVisible()
    await expectNoViolations(confirmation, 'The page that is cut off', 'host')
    await confirmation.getByRole('button', { name: 'Continue with a code' }).click()
    const field = confirmation.getByLabel(`Code, for ${new URL(stack.walletOrigin).host} only`)
    await expect(field).toBeFocused()
    // Other mails report account events.
    const isAboutIt = (mail: { subject: string }) => mail.subject.includes('confirms a request')
    let mail = await inbox.nextMail()
    while (!isAboutIt(mail)) mail = await inbox.nextMail()
    const { text } = mail
    expect(text).toContain(`Send 0.1 ETH to ${someone} on Anvil.`)
    expect(text).toContain(`Enter it only on ${new URL(stack.walletOrigin).host}, and nowhere else.`)
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    await field.fill(code === '000000' ? '111111' : '000000')
    await field.press('Enter')
    await expect(confirmation.getByText('This code is wrong or no longer valid.')).toBeVisible()
    await expectNoViolations(confirmation, 'A wrong code', 'host')
    await field.fill(code)
    await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(confirmation.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    await expect(host.dialog.getByText('Transaction complete!')).toBeVisible()
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
  })
})

test('the confirmation page renders its states accessibly', async ({ page, context, stack }) => {
  const path = `/apps/${appId}/confirm`
  await test.step('is not drawn in a frame', async () => {
    await page.goto(stack.hostOrigin)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-src'))
    await page.evaluate((address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      document.body.append(frame)
    }, stack.walletOrigin + path)
    await refused
    expect(
      (await context.request.get(stack.walletOrigin + path)).headers()['content-security-policy'],
    ).toContain("frame-ancestors 'none'")
  })
  await test.step('is not on the hostname of the dialog', async () => {
    expect((await page.goto(stack.dialogOrigin + path))?.status()).toBe(404)
  })
  await test.step('has nothing to show without a request, and takes its name out of the address', async () => {
    await page.goto(`${stack.walletOrigin}${path}#${'h'.repeat(43)}`)
    await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
    expect(page.url()).toBe(stack.walletOrigin + path)
    await expectNoViolations(page, 'Nobody asked', 'host')
  })
})

test.describe('a new user', () => {
  test.use({ isLoggedIn: false })
  test.beforeEach(({ host }) => host.openOneLine())

  // spec L9.17
  test('a small transaction is approved on the card until the daily allowance is used up', async ({
    host,
    page,
  }) => {
    const ended = await beginRequest(page, 'sendTransaction', sendLittle)
    await expect(host.dialog.getByText(/^\$75\.[0-9]{2}$/)).toBeVisible()
    await press(
      host.dialog.getByRole('button', { name: 'Submit' }),
      host.dialog.getByText('Transaction complete!'),
    )
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()
    await beginRequest(page, 'sendTransaction', sendLittle)
    await expect(toPage(host.dialog)).toBeVisible()
  })
})
