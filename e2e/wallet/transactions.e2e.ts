/** Typed data and transactions, from the host page to a real chain. */
import { encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther } from 'viem'
import { verifyTypedData } from 'viem/utils'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, openPage } from '../pages/confirm-page.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginRequest, contract, createChainClient, permit, press, someone } from '../pages/transactions.ts'
import { expect, test } from '../test.ts'

/** Contracts: one always reverts, the other does nothing. */
const reverting: Hex = '0x5f5ffd'
const stopping: Hex = '0x00'

let wallet: Hex = '0x'

test.use({ settings: ['rpc_urls.31337=[{chain}]', 'test_networks=[31337]'], isLoggedIn: true })
test.beforeEach(async ({ host, walletAddress: address }) => {
  wallet = address
  await host.openOneLine()
})

const submit = (host: HostPage, next: string) =>
  press(host.dialog.getByRole('button', { name: 'Submit' }), host.dialog.getByText(next))

test.describe('typed data', () => {
  // spec W2.19
  test('is shown and copied in full, explained in words, and signed as shown', async ({
    context,
    host,
    page,
    stack,
  }) => {
    const ended = await beginRequest(page, 'signTypedData', permit(wallet, 31_337))
    await expect(host.dialog.getByText(`This lets ${someone} take up to 5000000`)).toBeVisible()
    const tree = host.dialog.getByRole('group', { name: 'Message' })
    for (const text of [wallet, '1798761600', 'Test Dollar']) await expect(tree).toContainText(text)
    await expectNoViolations(page, 'Typed data')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await host.dialog.getByRole('button', { name: 'Copy all of it' }).click()
    await expect(host.dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    const reader = await context.newPage()
    await reader.goto(stack.hostOrigin)
    const copied = JSON.parse(await reader.evaluate(() => navigator.clipboard.readText()))
    await reader.close()
    const asked = permit(wallet, 31_337)
    const typesWithDomain = { ...asked.types, EIP712Domain: expect.any(Array) }
    expect(copied).toEqual({
      ...asked,
      types: typesWithDomain,
      domain: { ...asked.domain, chainId: '31337' },
    })
    await page.bringToFront()
    // A permit, which cannot be approved on the card on any network.
    await confirm(await openPage(host, context), 'Sign and continue')
    await expect(host.dialog.getByText('Success')).toBeVisible()
    const { value } = await ended()
    const { signature, address } = value as { signature: Hex; address: Hex }
    expect(address).toBe(wallet)
    const { types, domain, message } = permit(wallet, 31_337)
    expect(
      await verifyTypedData({ address, types, domain, message, primaryType: 'Permit', signature } as never),
    ).toBe(true)
  })

  test("for another chain than the wallet's is not shown to the user", async ({ host, page }) => {
    const ended = await beginRequest(page, 'signTypedData', permit(wallet, 1))
    await expect(host.dialog.getByRole('heading', { name: 'This request was blocked' })).toBeVisible()
    expect(await ended()).toMatchObject({ code: 'unsupported_chain_id' })
    await host.dialog.getByRole('button', { name: 'Close' }).last().click()
    await host.dialogCloses()
  })

  test('with an invalid value is rejected with its path', async ({ page }) => {
    const { message, ...rest } = permit(wallet, 31_337)
    const ended = await beginRequest(page, 'signTypedData', {
      ...rest,
      message: { ...message, value: 'five' },
    })
    expect(await ended()).toEqual({ code: 'invalid_message', details: { path: 'message.value' } })
  })
})

test.describe('a transaction', () => {
  test.beforeEach(async ({ stack }) => {
    const chain = createChainClient(stack.chainUrl)
    await chain.setAutomine(true)
    await chain.setBalance({ address: wallet, value: parseEther('1') })
  })

  // spec W2.20, W2.22, W2.24
  test('is reviewed, sent and confirmed', async ({ host, page, stack }) => {
    const chain = createChainClient(stack.chainUrl)
    const before = await chain.getBalance({ address: someone })
    const ended = await beginRequest(page, 'sendTransaction', { to: someone, value: '0x16345785d8a0000' })
    await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    for (const term of ['From', 'To', 'Action', 'Estimated fees', 'Total']) {
      await expect(host.dialog.getByText(term, { exact: true })).toBeVisible()
    }
    await expect(host.dialog.getByText('Send 0.1 ETH')).toBeVisible()
    await expect(host.dialog.getByText(someone, { exact: true })).toBeVisible()
    await expectNoViolations(page, 'Review')
    await submit(host, 'Transaction complete!')
    const { value } = (await ended()) as { value: { transactionHash: Hex; status: string } }
    expect(value.status).toBe('success')
    await expectNoViolations(page, 'Complete')
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()
    expect((await chain.getBalance({ address: someone })) - before).toBe(parseEther('0.1'))
    expect((await chain.getTransactionReceipt({ hash: value.transactionHash })).from).toBe(
      wallet.toLowerCase(),
    )
  })

  // spec W8.14, W8.16, W8.17, W2.21, W2.24
  test('that its contract reverts shows the error before and after, and is retried', async ({
    host,
    page,
    stack,
  }) => {
    const chain = createChainClient(stack.chainUrl)
    const sent = await chain.getTransactionCount({ address: wallet })
    await chain.setCode({ address: contract, bytecode: reverting })
    const data = encodeFunctionData({ abi: parseAbi(['function anything()']) })
    const ended = await beginRequest(page, 'sendTransaction', { to: contract, data })
    await expect(host.dialog.getByRole('heading', { name: 'Review transaction' })).toBeVisible()
    await expect(
      host.dialog.getByText(
        'There was an error preparing your transaction. Your transaction request will likely fail.',
        { exact: true },
      ),
    ).toBeVisible()
    await expect(host.dialog.getByText('We cannot tell what this transaction does.')).toBeVisible()
    await submit(host, 'Transaction failed')
    await expect(host.dialog.getByText('CALL_EXCEPTION')).toBeVisible()
    await expectNoViolations(page, 'Failed')
    await chain.setCode({ address: contract, bytecode: stopping })
    await host.dialog.getByRole('button', { name: 'Retry transaction' }).click()
    await expect(host.dialog.getByRole('heading', { name: 'Review transaction' })).toBeVisible()
    await submit(host, 'Transaction complete!')
    expect(await ended()).toMatchObject({ value: { status: 'success' } })
    expect(await chain.getTransactionCount({ address: wallet })).toBe(sent + 2)
  })

  // spec W4.20
  test('without funds cannot be submitted', async ({ context, host, page, stack }) => {
    await createChainClient(stack.chainUrl).setBalance({ address: wallet, value: 1n })
    await beginRequest(page, 'sendTransaction', { to: someone, value: 1 })
    await expect(
      host.dialog.getByText('Wallet has insufficient funds on this network for this transaction.'),
    ).toBeVisible()
    await expect(host.dialog.getByRole('button', { name: 'Submit' })).toBeDisabled()
    await expect(host.dialog.getByText(/^You need 0\.\d+ ETH more on .+\.$/)).toBeVisible()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await host.dialog.getByRole('button', { name: 'Copy address' }).click()
    await expect(host.dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet)
    // The app has no on-ramp.
    await expect(host.dialog.getByRole('button', { name: 'Add Funds' })).toHaveCount(0)
  })

  test('that the user closes is rejected', async ({ host, page }) => {
    const ended = await beginRequest(page, 'sendTransaction', { to: someone, value: 1 })
    await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    await host.escape()
    expect(await ended()).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })

  test('that was replaced by one with the same nonce is detected', async ({ host, page, stack }) => {
    const chain = createChainClient(stack.chainUrl)
    const nonce = await chain.getTransactionCount({ address: wallet })
    await chain.setAutomine(false)
    const ended = await beginRequest(page, 'sendTransaction', { to: someone, value: 1 })
    await expect(host.dialog.getByRole('heading', { name: 'Send ETH' })).toBeVisible()
    await submit(host, 'Waiting for confirmation')
    await chain.impersonateAccount({ address: wallet })
    await chain.request({
      method: 'eth_sendTransaction',
      params: [
        {
          from: wallet,
          to: contract,
          nonce: numberToHex(nonce),
          gas: '0x5208',
          maxFeePerGas: '0x2e90edd000',
          maxPriorityFeePerGas: '0x2e90edd000',
        },
      ],
    } as never)
    await chain.mine({ blocks: 1 })
    // Five polls, 2 s each.
    await expect(host.dialog.getByText('TRANSACTION_REPLACED')).toBeVisible()
    await host.escape()
    expect(await ended()).toMatchObject({
      code: 'transaction_failure',
      details: { code: 'TRANSACTION_REPLACED' },
    })
    await chain.setAutomine(true)
  })
})
