/** Start pages with an attacker's handle, opened in the dialog by a link on a host page. */
import { createHash, randomBytes } from 'node:crypto'
import { createBrowserKey } from '../client/browser-key.ts'
import { openConnections } from '../client/http.ts'
import { cutsWindowsOff, openWindow, typeDigits } from '../pages/login-window.ts'
import { setFaults } from '../stack/faults.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test.use({ settings: ['google_oauth=true'] })

const secret = () => randomBytes(36).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * An attacker who starts a login on their machine with the documented calls, and waits for a visitor to
 * complete it.
 */
async function attack(stack: Stack, digits?: string) {
  const connections = openConnections(stack.serverPort, 1)
  const binding = secret()
  const call = (path: string, body: object) =>
    connections.post(stack.dialogOrigin, `/api/v1${path}`, JSON.stringify(body), {
      'latchkey-app-id': appId,
      'latchkey-login-binding': binding,
      'latchkey-request-id': secret(),
    })
  const { jwk } = createBrowserKey()
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(jwk.x, 'base64url'),
    Buffer.from(jwk.y, 'base64url'),
  ])
  const [handle, relaySecret] = [secret(), secret()]
  const login = await call('/oauth/init', {
    provider: 'google',
    redirect_to: `${stack.dialogOrigin}/apps/${appId}/dialog`,
    code_challenge: hash(secret()),
    state_code: secret(),
    relay: {
      handle,
      challenge: hash(relaySecret),
      key: point.toString('base64url'),
      ...(digits !== undefined && { digits }),
      origin: stack.hostOrigin,
    },
  })
  expect(login.status).toBe(200)
  return {
    path: `/oauth/start/${handle}`,
    result: async () => (await call('/oauth/result', { handle, secret: relaySecret })).body,
    end: connections.close,
  }
}

for (const [rel, says] of [
  // The dialog receives the request and does not know the handle.
  ['opener', 'This login did not start'],
  ['noopener', 'isolates its windows'],
] as const) {
  test(`does not log in through a link with ${rel}`, async ({ context, host, stack }) => {
    const attacker = await attack(stack)
    await host.open()
    await host.openLogin()
    const frame = await host.dialog.locator('body').elementHandle()
    const openedPage = context.waitForEvent('page')
    await frame?.evaluate(
      (body, [href, relation]) => {
        const link = document.createElement('a')
        Object.assign(link, { href, rel: relation, target: '_blank', textContent: 'Terms' })
        body.append(link)
        link.click()
      },
      [attacker.path, rel],
    )
    const page = await openedPage
    await expect(page.getByText(says)).toBeVisible()
    expect(new URL(page.url()).origin).toBe(stack.dialogOrigin)
    expect(await attacker.result()).toEqual({ status: 'pending' })
    attacker.end()
  })
}

test('a start page cannot be used as an image, frame or script of the dialog', async ({
  host,
  page,
  stack,
}) => {
  const attacker = await attack(stack)
  await host.open()
  await host.openLogin()
  const frame = await host.dialog.locator('body').elementHandle()
  const answered = page.waitForResponse((answer) => answer.url().endsWith(attacker.path))
  await frame?.evaluate((body, src) => {
    body.append(Object.assign(document.createElement('img'), { src }))
  }, attacker.path)
  expect((await answered).status()).toBe(403)
  const status = await frame?.evaluate(async (_, path) => (await fetch(path)).status, attacker.path)
  expect(status).toBe(403)
  expect(await attacker.result()).toEqual({ status: 'pending' })
  attacker.end()
})

test('a start page with guessed digits does not continue, and is consumed', async ({
  context,
  host,
  stack,
}) => {
  await stack.app('set', appId, cutsWindowsOff(true))
  await setFaults(stack, { oauthPage: 'none' })
  await host.open('/?coop=1')
  await host.openLogin()
  const window = await openWindow(context, host.methodRow('Google'))
  await expect(window.getByText('Did you start this?')).toBeVisible()
  await expect(window.getByText('Fieldnotes')).toBeVisible()
  await expect(window.getByText(stack.hostOrigin)).toBeVisible()
  const digits = await host.dialog.getByRole('status').getByRole('strong').textContent()
  await typeDigits(window, host.dialog, String((Number(digits) + 1) % 100).padStart(2, '0'))
  await expect(window.getByRole('heading', { name: 'These digits do not match' })).toBeVisible()
  await expect(host.dialog.getByText('Something went wrong. Please try again.')).toBeVisible()
  await window.goBack()
  await expect(window.getByText('This login did not start')).toBeVisible()
})
