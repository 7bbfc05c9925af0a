/** A page with a login of its own: `examples/own-login`, whose server signs tokens of its users. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../../scripts/local/ports.ts'
import { startProgram } from '../stack/process.ts'
import { appId } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

/** The example's origin. The app accepts the tokens of its server. */
const test = base.extend<object, { example: string }>({
  example: [
    async ({ stack }, use, worker) => {
      const port = await freePort()
      const origin = `http://localhost:${port}`
      const program = await startProgram({
        name: 'examples/own-login',
        folder: join(import.meta.dirname, '../../examples/own-login'),
        script: 'server.ts',
        env: { PORT: String(port), LATCHKEY_APP_ID: appId, LATCHKEY_DIALOG_URL: stack.dialogOrigin },
        logFile: join(worker.project.outputDir, `own-login-${worker.workerIndex}.log`),
        answersAt: origin,
      })
      const issuer = ['--issuer', origin, '--audience', appId, '--i-can-open-every-wallet']
      await stack.app('custom-jwt', appId, '--jwks', `http://127.0.0.1:${port}/jwks.json`, ...issuer)
      await stack.app('origins', appId, 'add', origin)
      await use(origin)
      await stack.app('origins', appId, 'remove', origin)
      await stack.app('custom-jwt', appId, 'off')
      await program.kill('SIGTERM')
    },
    { scope: 'worker' },
  ],
})

const status = (page: Page) => page.getByRole('status')
async function logInToPage(page: Page, name: string) {
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test("the page's own login logs in without a screen, creates a wallet that signs, and logs out", async ({
  example,
  host,
  page,
  somebody,
}) => {
  await page.goto(example)
  await expect(status(page)).toHaveText('Hello visitor')
  await logInToPage(page, somebody)
  await expect(status(page)).toHaveText(`Hello ${somebody}`)
  await expect(page.locator('iframe')).toBeHidden()

  await page.getByRole('button', { name: 'Sign' }).click()
  await host.approve()
  await expect(status(page)).toHaveText(/^Signed by 0x/)

  await page.reload()
  await expect(status(page)).toHaveText(`Hello ${somebody}`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(status(page)).toHaveText('Hello visitor')
})

test('the session follows the login of the page over reloads', async ({ example, page, somebody }) => {
  await page.goto(example)
  await logInToPage(page, somebody)
  await expect(status(page)).toHaveText(`Hello ${somebody}`)
  await page.request.post(`${example}/login`, { data: `${somebody} too` })
  await page.reload()
  await expect(status(page)).toHaveText(`Hello ${somebody} too`)
  await page.request.post(`${example}/logout`)
  await page.reload()
  await expect(status(page)).toHaveText('Hello visitor')
})

test('another origin with the token of a user gets no dialog', async ({ example, page, somebody, stack }) => {
  await page.goto(example)
  await logInToPage(page, somebody)
  await expect(status(page)).toHaveText(`Hello ${somebody}`)
  const token = await (await page.request.post(`${example}/token`)).text()
  expect(token.split('.')).toHaveLength(3)

  await page.goto(`${stack.strangerOrigin}/robots.txt`)
  const options = { appId, token, dialogUrl: stack.dialogOrigin }
  const code = await page.evaluate(async ({ token, ...options }) => {
    const { createLatchkey } = await import(`${options.dialogUrl}/loader/v1/latchkey.js`)
    const latchkey = createLatchkey({ ...options, auth: { getToken: () => token } })
    return latchkey.login().catch((error: { code: string }) => error.code)
  }, options)
  expect(code).toBe('origin_not_allowed')
})
