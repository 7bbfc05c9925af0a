import { expect, test } from './example.ts'
import { logIn, logOut, sign } from './visitor.ts'

test('the RainbowKit example connects by login, signs with wagmi and disconnects on logout', async ({
  client,
  example,
  inbox,
  page,
  stack,
}) => {
  await example.openBuilt('wagmi-rainbowkit', {
    ...example.settings('VITE_'),
    VITE_RPC_URL: stack.chainUrl,
  })
  const connect = page.getByRole('button', { name: 'Connect Wallet' })
  await logIn(client, inbox, async () => {
    await connect.click()
    await page.getByRole('button', { name: 'E-mail or passkey' }).click()
  })
  await expect(connect).toBeHidden()
  await expect(page.getByRole('button', { name: /0x/ })).toBeVisible()
  await sign(client)
  await logOut(client, inbox, connect)
})
