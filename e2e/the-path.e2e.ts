import { verifyMessage } from 'viem'
import { expect, test } from './test.ts'

test('a user logs in by e-mail code, gets a wallet, signs and logs out', async ({ host, inbox }) => {
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  const message = 'I agree to share my observations under CC-BY.'
  const signature = await host.sign(message)
  expect(
    await verifyMessage({
      address: address as `0x${string}`,
      message,
      signature: signature as `0x${string}`,
    }),
  ).toBe(true)
  await host.dialogCloses()
  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()
})
