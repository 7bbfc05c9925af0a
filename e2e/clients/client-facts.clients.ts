/** The mock of `@latchkey/testing` and the product are held to the same: sdk/testing/mock/facts.test.ts proves it of the mock. */
import { clientFacts } from '@latchkey/loader/conformance'
import { test } from '../mock/open-page.ts'

/** What the page has instead of these is the page's own. */
const nobody = undefined as never
for (const { name } of clientFacts({ client: nobody, stateOf: nobody, user: nobody })) {
  test(`of the product: ${name}`, async ({ page, host, inbox, openPage }) => {
    await openPage('facts')
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
        await page.evaluate(() => new Promise(requestAnimationFrame))
      }
    })
    await page.evaluate((fact) => Reflect.get(globalThis, 'prove')(fact), name)
  })
}
