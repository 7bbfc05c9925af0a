/** Provider behavior common to all libraries, and specifics of single ones. */
import { encodeAbiParameters, type Hex, keccak256, parseEther, recoverMessageAddress, toHex } from 'viem'
import { verifyTypedData } from 'viem/utils'
import { createChainClient, someone } from '../pages/transactions.ts'
import { contract, expect, getFailure, second, test } from './page.ts'

const mail = {
  domain: { name: 'Field notes', version: '1', chainId: 31_337, verifyingContract: contract },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'Two herons' },
} as const

const plain = ['viem', 'ethers6', 'ethers5', 'web3']
const onWagmi = ['wagmi3', 'wagmi2']
const kits = ['rainbowkit', 'connectkit', 'appkit']

for (const library of [...onWagmi, ...plain]) {
  test.describe(library, () => {
    let wallet: Hex = '0x'
    test.beforeEach(async ({ client, inbox, stack }) => {
      await client.open(library)
      await client.logIn(inbox)
      wallet = await client.call<Hex>('account')
      expect(wallet).toMatch(/^0x[0-9a-fA-F]{40}$/)
      const chain = createChainClient(stack.chainUrl)
      await chain.setAutomine(true)
      await chain.setBalance({ address: wallet, value: parseEther('1') })
    })

    test('signs a message and typed data for the connected account', async ({ client }) => {
      const signature = await client.sign<Hex>('signMessage', 'Two herons')
      expect(await recoverMessageAddress({ message: 'Two herons', signature })).toBe(wallet)
      const typed = await client.sign<Hex>('signTypedData', mail)
      expect(await verifyTypedData({ address: wallet, ...mail, signature: typed })).toBe(true)
    })

    test('sends and reads the receipt', async ({ client, stack }) => {
      const chain = createChainClient(stack.chainUrl)
      const balanceBefore = await chain.getBalance({ address: someone })
      const { hash, succeeded } = await client.send(someone, String(parseEther('0.1')))
      expect(succeeded).toBe(true)
      expect(await chain.getTransactionReceipt({ hash: hash as Hex })).toMatchObject({
        from: wallet.toLowerCase(),
      })
      expect((await chain.getBalance({ address: someone })) - balanceBefore).toBe(parseEther('0.1'))
    })

    test('switches to a chain of the app, and reports another one as unknown, not as rejected', async ({
      client,
    }) => {
      await client.call('switchChain', second)
      await expect.poll(() => client.call('chainId')).toBe(second)
      const { codes, names } = getFailure(await client.begin('switchChain', 10))
      expect(codes).toContain(4901)
      expect(codes).not.toContain(4001)
      expect(names).not.toContain('UserRejectedRequestError')
      expect(await client.call('chainId')).toBe(second)

      const refused = client.begin('signMessage', 'Two herons')
      await expect(client.host.approveButton).toBeVisible()
      await client.host.escape()
      const refusal = getFailure(await refused)
      expect([...refusal.codes, ...refusal.names]).toEqual(
        expect.arrayContaining([library.startsWith('ethers6') ? 'ACTION_REJECTED' : 4001]),
      )
    })

    test('receives chain changes and a logout', async ({ client, page }) => {
      await client.call('switchChain', second)
      await page.evaluate(() => (Reflect.get(globalThis, 'latchkey') as { logout(): unknown }).logout())
      const isOnWagmi = onWagmi.includes(library)
      await expect
        .poll(() => client.events())
        .toEqual(
          expect.arrayContaining(
            isOnWagmi
              ? [
                  ['chain', second],
                  ['account', null],
                ]
              : [
                  ['chainChanged', '0x7a6a'],
                  ['accountsChanged', []],
                ],
          ),
        )
      await page.evaluate(() => document.querySelector('dialog')?.remove())
    })
  })
}

for (const library of [...onWagmi, ...kits]) {
  test(`${library} stays connected over a reload`, async ({ client, inbox, page }) => {
    await client.open(library)
    await expect(page.getByTestId('wagmi-status')).toHaveText('disconnected')
    await client.logIn(inbox)
    await expect(page.getByTestId('wagmi-status')).toHaveText('connected')
    const wallet = await client.call<string>('account')
    await page.reload()
    await client.ready()
    await expect(page.getByTestId('wagmi-status')).toHaveText('connected')
    await expect(page.getByTestId('wagmi-account')).toHaveText(wallet)
    const signature = await client.sign<Hex>('signMessage', 'Two herons')
    expect(await recoverMessageAddress({ message: 'Two herons', signature })).toBe(wallet)
  })
}

test('siwe creates a message with a valid signature', async ({ client, inbox }) => {
  await client.open('siwe')
  await client.logIn(inbox)
  const wallet = await client.call('account')
  expect(await client.sign<object>('signIn')).toEqual({ success: true, address: wallet })
})

const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const push = (size: number, value: Hex) => `${(0x5f + size).toString(16)}${value.slice(2)}`

test('ethers 6 receives contract events', async ({ client, inbox, stack }) => {
  await client.open('ethers6')
  await client.logIn(inbox)
  const chain = createChainClient(stack.chainUrl)
  await chain.setAutomine(true)
  // MSTORE of 7 at 0, then LOG1 of it.
  const topic = keccak256(toHex('Noted(uint256)'))
  const bytecode = `0x${push(1, '0x07')}${push(1, '0x00')}52${push(32, topic)}${push(1, '0x20')}${push(1, '0x00')}a100`
  await chain.setCode({ address: contract, bytecode: bytecode as Hex })
  await client.call('listen', contract)
  await chain.impersonateAccount({ address: someone })
  const noted = async () => {
    await chain.request({ method: 'eth_sendTransaction', params: [{ from: someone, to: contract }] } as never)
    return client.events()
  }
  // ethers reports events after its first poll.
  await expect.poll(noted).toContainEqual(['Noted', '7'])
})

test('viem reports why a node rejected, and falls back for a missing method', async ({
  client,
  inbox,
  stack,
}) => {
  await client.open('viem')
  await client.logIn(inbox)
  const chain = createChainClient(stack.chainUrl)
  const wallet = await client.call<Hex>('account')
  await chain.setBalance({ address: wallet, value: parseEther('1') })
  // revert('No herons here')
  const reason = `08c379a0${word(32n).slice(2)}${word(14n).slice(2)}${toHex('No herons here', { size: 32 }).slice(2)}`
  const reverting = `0x${push(32, `0x${reason.slice(0, 64)}`)}${push(1, '0x00')}52${push(32, `0x${reason.slice(64, 128)}`)}${push(1, '0x20')}52${push(32, `0x${reason.slice(128, 192)}`)}${push(1, '0x40')}52${push(32, `0x${reason.slice(192).padEnd(64, '0')}`)}${push(1, '0x60')}52${push(1, '0x64')}${push(1, '0x00')}fd`
  await chain.setCode({ address: contract, bytecode: reverting as Hex })
  const { messages } = getFailure(await client.begin('read', contract))
  expect(messages.join('\n')).toContain('No herons here')
  expect(getFailure(await client.begin('badParams')).codes).toContain(-32_602)
})

test("MetaMask's test page connects and signs", async ({ client, inbox, page, stack }) => {
  // The page leaves its buttons disabled for a wallet of another name.
  await page.addInitScript(() =>
    addEventListener('eip6963:announceProvider', (event) => {
      Object.assign(Reflect.get(event, 'detail').provider, { isMetaMask: true })
    }),
  )
  await page.goto(`${stack.hostOrigin}/clients/test-dapp/`)
  await page.getByRole('button', { name: 'Use Fieldnotes' }).click()
  await client.logIn(inbox, page.locator('#connectButton').click())
  await expect(page.locator('#accounts')).toHaveText(/^0x[0-9a-fA-F]{40}$/)
  const wallet = ((await page.locator('#accounts').textContent()) ?? '').toLowerCase()
  await page.locator('#personalSign').click()
  await client.host.approve()
  await expect(page.locator('#personalSignResult')).toHaveText(/^0x[0-9a-f]{130}$/)
  await client.host.dialogCloses()
  const signature = (await page.locator('#personalSignResult').textContent()) as Hex
  const message = 'Example `personal_sign` message'
  expect((await recoverMessageAddress({ message, signature })).toLowerCase()).toBe(wallet)
})
