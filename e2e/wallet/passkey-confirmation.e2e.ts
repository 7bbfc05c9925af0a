/** Confirmations by the recovery passkey, on a host whose opener policy cuts off the page. */
import { type Hex, parseEther } from 'viem'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, openPage } from '../pages/confirm-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import { openWindow } from '../pages/recovery-window.ts'
import { beginRequest, createChainClient, someone } from '../pages/transactions.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

/** A tenth of an ether: 250 dollars at the price feed's 2,500. */
const send = { to: someone, value: '0x16345785d8a0000' }
const recoveries = (methods: readonly string[]) =>
  `embedded_wallet_config.user_owned_recovery_options=${JSON.stringify(methods)}`

test.describe.configure({ timeout: 150_000 })
test.use({ settings: [recoveries(['passkey']), 'rpc_urls.31337=[{chain}]'] })

test('a transaction is confirmed by the recovery passkey, or by a code without it', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
  const set = await beginCall<{ user?: { address?: string } }>(page, 'setWalletRecovery')
  const window = await openWindow(host)
  const device = await addDevice(window, { prf: true })
  await window.getByRole('button', { name: 'Create passkey' }).click()
  await pressGated(window.getByRole('button', { name: 'Use this passkey' }))
  await expect(host.dialog.getByRole('heading', { name: 'Your account is secured' })).toBeVisible({
    timeout: 30_000,
  })
  const wallet = (await set()).user?.address as Hex
  await host.dialog.getByRole('button', { name: 'All done' }).click()
  const chain = createChainClient(stack.chainUrl)
  await chain.setAutomine(true)
  await chain.setBalance({ address: wallet, value: parseEther('1') })
  await stack.app('set', appId, 'cross_origin_opener_policy=same-origin')
  await host.openOneLine('?coop=1')

  await test.step('the passkey approves', async () => {
    const ended = await beginRequest(page, 'sendTransaction', send)
    const confirmation = await openPage(host, context)
    await device.takeTo(confirmation)
    await expect(confirmation.getByText('Send 0.1 ETH')).toBeVisible()
    await expect(confirmation.getByRole('button', { name: 'Continue with a code' })).toBeVisible()
    await expectNoViolations(confirmation, 'The page that asks for a passkey', 'host')
    await confirm(confirmation, 'Confirm with your passkey')
    await expect(host.dialog.getByText('Transaction complete!')).toBeVisible({ timeout: 20_000 })
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
    await host.page.bringToFront()
  })

  await test.step('a device that does not have it leads to a code', async () => {
    await host.openOneLine('?coop=1')
    const ended = await beginRequest(page, 'sendTransaction', send)
    const confirmation = await openPage(host, context)
    await addDevice(confirmation, { prf: true })
    const press = confirmation.getByRole('button', { name: 'Confirm with your passkey' })
    const notGiven = confirmation.getByText('Your passkey was not used, or is not on this device.')
    await pressGated(press, notGiven)
    await expect(notGiven).toBeVisible()
    await expectNoViolations(confirmation, 'A passkey that was not given', 'host')
    await confirmation.getByRole('button', { name: 'Continue with a code' }).click()
    let mail = await inbox.nextMail()
    while (!mail.subject.includes('confirms a request')) mail = await inbox.nextMail()
    const field = confirmation.getByLabel(`Code, for ${new URL(stack.walletOrigin).host} only`)
    await field.fill(/\b\d{6}\b/.exec(mail.text)?.[0] ?? '')
    await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(confirmation.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
  })
})
