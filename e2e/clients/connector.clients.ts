/** The connector of `@latchkey/loader/wagmi`, with the code of docs/wagmi.md, in wagmi and in the kits. */
import { announcementFacts, connectorFacts, providerFacts } from '@latchkey/loader/conformance'
import { type Hex, recoverMessageAddress } from 'viem'
import { type ClientPage, expect, test } from './page.ts'

/** Acts as the user for a fact that the page checks, until its call has settled. */
async function playUser({ page, host }: ClientPage, inbox: Parameters<ClientPage['logIn']>[0]) {
  const isSettled = () => page.evaluate('globalThis.isSettled')
  await page.exposeFunction('actAsUser', async (what: 'approve' | 'refuse') => {
    while (!(await isSettled())) {
      const [asksToLogIn, asksToApprove] = await Promise.all([
        host.emailField.isVisible(),
        host.approveButton.isVisible(),
      ])
      if (what === 'refuse') {
        if (asksToLogIn || asksToApprove) await host.escape()
      } else if (asksToLogIn) {
        await host.askForCode(inbox.address)
        await host.typeCode(await inbox.nextCode())
        await host.dialogCloses()
      } else if (asksToApprove) {
        await host.approve()
        await host.dialogCloses()
      }
      await page.waitForTimeout(20)
    }
  })
}

/** The page provides its own values for these. */
const unused = undefined as never
const connector = connectorFacts({
  chains: [{ id: 1 }, { id: 2 }, { id: 3 }],
  wagmi: unused,
  user: unused,
  createConnector: unused,
})
const provider = providerFacts({ chains: { other: 2, unknown: 3 }, provider: unused, user: unused })
const announcement = announcementFacts({ rdns: 'app.latchkey' })

const printedPages = { wagmi3: { provider, announcement, connector }, wagmi2: { connector } }

for (const [library, facts] of Object.entries(printedPages)) {
  test.describe(`${library}, as it is printed`, () => {
    test('is listed before the dialog has loaded, and once after it was announced', async ({
      client,
      inbox,
    }) => {
      await client.open(`${library}-connector`)
      expect(await client.call('connectors')).toEqual(['latchkey'])
      await client.logIn(inbox)
      await client.call('announce')
      expect(await client.call('connectors')).toEqual(['latchkey'])
    })
    for (const [kind, ofKind] of Object.entries(facts)) {
      for (const { name } of ofKind) {
        test(`${kind}: ${name}`, async ({ client, inbox }) => {
          await client.open(`${library}-connector`)
          await playUser(client, inbox)
          if (kind === 'announcement') await client.call('announce')
          await client.call('prove', kind, name)
        })
      }
    }
  })
}

for (const kit of ['wagmi3', 'wagmi2', 'rainbowkit', 'connectkit', 'appkit']) {
  test(`${kit} with the connector logs in, signs, and stays connected over a reload`, async ({
    client,
    inbox,
    page,
  }) => {
    await client.open(`${kit}-connector`)
    await expect(page.getByTestId('wagmi-status')).toHaveText('disconnected')
    await client.logIn(inbox)
    await expect(page.getByTestId('wagmi-status')).toHaveText('connected')
    const wallet = await client.call<string>('account')
    await page.reload()
    await client.ready()
    await expect(page.getByTestId('wagmi-status')).toHaveText('connected')
    await expect(page.getByTestId('wagmi-account')).toHaveText(wallet)
    const signature = await client.sign<Hex>('signMessage', 'Two herons')
    expect(await recoverMessageAddress({ message: 'Two herons', signature })).toBe(wallet)
  })
}

test('a page without a dialog reconnects within two seconds', async ({
  client,
  context,
  inbox,
  page,
  stack,
}) => {
  await client.open('wagmi3-connector')
  await client.logIn(inbox)
  const wallet = await client.call<string>('account')
  await context.route(`${stack.dialogOrigin}/**`, () => {})
  await page.reload()
  await client.ready()
  await expect(page.getByTestId('wagmi-account')).toHaveText(wallet)
  await expect(page.getByTestId('wagmi-status')).toHaveText('connected', { timeout: 5_000 })
})
