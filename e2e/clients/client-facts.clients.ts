/**
 * The conformance facts that the mock of `@latchkey/testing` shares with the product.
 * sdk/testing/mock/facts.test.ts checks the mock.
 */
import { clientFacts } from '@latchkey/loader/conformance'
import { test } from '../mock/open-page.ts'

/** The page provides its own values for these. */
const unused = undefined as never
for (const { name } of clientFacts({ client: unused, stateOf: unused, user: unused })) {
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
