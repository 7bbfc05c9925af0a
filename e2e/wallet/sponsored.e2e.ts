/** Calls whose fees the operator pays, by viem on a real chain. */
import {
  type BaseError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  type Hex,
  http,
  parseEther,
  publicActions,
  UserRejectedRequestError,
} from 'viem'
import { anvil } from 'viem/chains'
import { pressGated } from '../pages/pointer.ts'
import { getProvider } from '../pages/provider.ts'
import { logInAtProvider } from '../pages/provider-window.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** The account contract that the wallet is delegated to (`protocol/capabilities/sponsor/operation.ts`). */
const delegatedCode = '0xef0100e6cae83bde06e4c305530e199d7217f42808555b'

// The wallet of this user gets code on the chain.
test.use({ settings: ['rpc_urls.31337=[{chain}]', 'test_networks=[31337]', 'sponsored_chains=[31337]'] })

test('a wallet without coins for fees sends calls together, and its signatures stay valid', async ({
  host,
  page,
  stack,
  walletAddress,
}) => {
  const account = walletAddress as Hex
  await host.openOneLine()
  const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.chainUrl) }).extend(
    publicActions,
  )
  await chain.setBalance({ address: account, value: parseEther('0.3') })
  const provider = await getProvider(page)
  const client = createWalletClient({ account, chain: anvil, transport: custom(provider) })
  const reader = createPublicClient({ chain: anvil, transport: custom(provider) })
  const getAtomic = async () => (await client.getCapabilities({ account, chainId: anvil.id })).atomic
  const balanceBefore = await reader.getBalance({ address: friend })
  expect(await getAtomic()).toEqual({ status: 'ready' })

  // All coins of the wallet leave it, so nothing is left for a fee.
  const sending = client.sendCalls({
    calls: [
      { to: friend, value: parseEther('0.1') },
      { to: other, value: parseEther('0.2') },
    ],
    forceAtomic: true,
  })
  await expect(host.dialog.getByRole('heading', { name: 'Review all actions' })).toBeVisible()
  await expect(host.shown.getByText('This is the first time on this network')).toBeVisible()
  await expect(host.shown.getByText('Send 0.1 ETH')).toBeVisible()
  await host.approve(host.dialog.getByRole('button', { name: 'Submit', exact: true }))
  const { id } = await sending
  const { status, atomic, receipts } = await client.waitForCallsStatus({ id })
  expect([status, atomic, receipts?.length]).toEqual(['success', true, 1])
  await host.dialogCloses()
  expect((await reader.getBalance({ address: friend })) - balanceBefore).toBe(parseEther('0.1'))
  expect(await chain.getBalance({ address: account })).toBe(0n)
  expect(await chain.getCode({ address: account })).toBe(delegatedCode)
  expect(await getAtomic()).toEqual({ status: 'supported' })

  const signing = client.signMessage({ message: 'Two herons' })
  await host.approve(host.dialog.getByRole('button', { name: 'Sign and continue' }))
  const signature = await signing
  await host.dialogCloses()
  // The chain asks the account contract, because the wallet has code now.
  expect(await chain.verifyMessage({ address: account, message: 'Two herons', signature })).toBe(true)

  const refusal = client
    .sendCalls({ calls: [{ to: friend, value: 0n }], forceAtomic: true })
    .catch((error: BaseError) => error.walk((cause) => cause instanceof UserRejectedRequestError))
  await expect(host.dialog.getByRole('heading', { name: 'Review all actions' })).toBeVisible()
  await expect(host.shown.getByText('This is the first time on this network')).toBeHidden()
  await host.dialog.getByRole('button', { name: 'Close', exact: true }).click()
  expect(await refusal).toBeInstanceOf(UserRejectedRequestError)
})

test('the account screen removes the contract of another wallet', async ({ context, stack, inbox }) => {
  const own = await context.newPage()
  const dialogUrl = `${stack.dialogOrigin}/apps/${appId}/dialog`
  await own.goto(dialogUrl)
  await logInAtProvider(own, inbox)
  const address = (await own.locator('button[title^="0x"]').getAttribute('title')) as Hex
  const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.chainUrl) }).extend(
    publicActions,
  )
  await chain.setCode({ address, bytecode: `0xef0100${friend.slice(2)}` })
  await own.reload()
  await own.getByRole('button', { name: 'Wallet contracts' }).click()
  await expect(own.getByText('A contract that this app does not know.')).toBeVisible()
  await own.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(own.getByRole('heading', { name: 'Remove the contract?' })).toBeVisible()
  await pressGated(own.getByRole('button', { name: 'Remove', exact: true }))
  await expect(own.getByText('Your wallet runs no contract on Anvil now.')).toBeVisible()
  expect(await chain.getCode({ address })).toBeUndefined()
  expect(await chain.getBalance({ address })).toBe(0n)
})
