/** A wagmi page whose visitor uses a wallet of another operator's app. */
import { recoverMessageAddress } from 'viem'
import { openWindow } from '../pages/login-window.ts'
import { beginCall, setConfig } from '../pages/page-calls.ts'
import { approve, getCrossAppWallet, type LoggedIn, logInAtProvider } from '../pages/provider-window.ts'
import { type OtherOperator, otherOperator } from '../stack/two-operators.ts'
import { expect, test as withClient } from './page.ts'

const test = withClient.extend<object, OtherOperator>(otherOperator)

test('wagmi connects the wallet of another app and signs with it', async ({
  client,
  context,
  inbox,
  method,
  page,
  wharf,
}) => {
  await client.open('wagmi3')
  await setConfig(page, { loginMethods: ['email', method] })
  const login = await beginCall<LoggedIn>(page, 'login')
  const window = await openWindow(context, client.host.methodRow('Wharf'))
  await logInAtProvider(window, inbox)
  await approve(window, 'Allow')
  const { address } = getCrossAppWallet((await login()).user?.user)
  await client.host.dialogCloses()

  await page.evaluate(async (wallet) => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    const { getEthereumProvider } = handle as { getEthereumProvider: (options: object) => Promise<unknown> }
    await getEthereumProvider({ address: wallet, announce: true })
  }, address)
  expect(await client.call('connect', `app.latchkey.${wharf.appId}`)).toBe(address)
  await expect(page.getByTestId('wagmi-account')).toHaveText(address)

  const signature = client.call<`0x${string}`>('signMessage', 'Two herons')
  const signing = await openWindow(
    context,
    client.host.dialog.getByRole('button', { name: 'Continue with Wharf' }),
  )
  await approve(signing, 'Sign and continue')
  expect(await recoverMessageAddress({ message: 'Two herons', signature: await signature })).toBe(address)
})
