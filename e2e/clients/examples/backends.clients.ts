import { expect, test } from './example.ts'
import { expectMe } from './me.ts'
import { logIn, logOut } from './visitor.ts'

test('the backend examples type-check', ({ example }) => example.run('backends', 'check'))

test('a backend without its settings exits and names the missing ones', async ({ example }) => {
  await expect(example.run('backends', 'hono', { LATCHKEY_APP_ID: '' })).rejects.toThrow(
    'Set LATCHKEY_APP_ID and LATCHKEY_DIALOG_URL in .env',
  )
})

const withFailures = test.extend({ noErrors: ({ page: _ }, use) => use(undefined) })

withFailures(
  'an example for a backend shows the code of an error of its server',
  async ({ client, example, inbox, page }) => {
    const env = { ...example.settings(), LATCHKEY_KEYS_URL: 'http://127.0.0.1:1/jwks.json' }
    await page.goto(await example.start({ name: 'backends', script: 'hono.ts', env }))
    await logIn(client, inbox)
    await page.getByRole('button', { name: 'Ask the server' }).click()
    await expect(page.getByRole('status')).toHaveText('keys_unavailable')
  },
)

for (const framework of ['hono', 'express', 'fastify']) {
  test(`the ${framework} example serves its page, logs in, returns the user from the server, and logs out`, async ({
    client,
    example,
    inbox,
    page,
  }) => {
    const origin = await example.start({
      name: 'backends',
      script: `${framework}.ts`,
      env: example.settings(),
    })
    await page.goto(origin)
    await logIn(client, inbox)
    const userId = await page.evaluate('latchkey.getUser().then(({ id }) => id)')
    expect(await expectMe(page, origin)).toBe(userId)
    await logOut(client, inbox)
  })
}
