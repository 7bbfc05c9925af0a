/** The bundler and the paymaster, as viem uses them. */
import { createPublicClient, type Hex, http } from 'viem'
import {
  createBundlerClient,
  createPaymasterClient,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startSandbox } from '../sandbox.ts'

const sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
afterAll(() => sandbox.stop())
const at = sandbox.httpUrl.replace('sandbox.localhost', '127.0.0.1')
const setFault = (erc4337: string) =>
  fetch(`${at}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ erc4337 }),
  })
afterEach(() => setFault('none'))

const recipient = `0x${'a1'.repeat(20)}` as const

async function createSender() {
  const client = createPublicClient({ chain: anvil, transport: http(sandbox.chainUrl), pollingInterval: 10 })
  const owner = privateKeyToAccount(generatePrivateKey())
  const account = await toSimple7702SmartAccount({ client, owner })
  const bundler = createBundlerClient({
    account,
    client,
    transport: http(`${at}/erc4337/bundler/key`, { retryCount: 0 }),
    paymaster: createPaymasterClient({ transport: http(`${at}/erc4337/paymaster/key`, { retryCount: 0 }) }),
    pollingInterval: 10,
  })
  async function send(): Promise<Hex> {
    const authorization = await owner.signAuthorization({
      address: account.authorization.address,
      chainId: anvil.id,
      nonce: 0,
    })
    const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    return bundler.sendUserOperation({ calls: [{ to: recipient, data: '0x12' }], authorization, ...fees })
  }
  return { client, owner, bundler, send }
}

test('a client without coins sends an operation, and its account is delegated', async () => {
  const { client, owner, bundler, send } = await createSender()
  const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash: await send() })
  expect(success).toBe(true)
  expect(receipt.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await client.getCode({ address: owner.address })).toMatch(/^0xef0100/)
  expect(await client.getBalance({ address: owner.address })).toBe(0n)
})

test.each([
  ['refuses', /policy/],
  ['wrong-final', /signature/i],
  ['expired', /expired/i],
  ['bundler-failing', /internal error/i],
])('with the fault %s, no operation is sent', async (fault, message) => {
  const { send } = await createSender()
  await setFault(fault)
  await expect(send()).rejects.toThrow(message)
})
