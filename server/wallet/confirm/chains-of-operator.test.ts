/** Tests chains that the operator configures: their names, the prices of their coins, and their data fees. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { newHandle } from './testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, oneEther } from './testing/fixture.ts'
import { startOracle } from './testing/oracle.ts'

const feldnetz = { id: 9_119, name: 'Feldnetz', symbol: 'FLD', decimals: 8 }

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
  })
  const shown = async (transaction: ReturnType<ConfirmFixture['transaction']>) => {
    const handle = newHandle()
    const { answer: placed } = await fixture.put(transaction, { handle })
    return { placed, page: (await fixture.read(handle)).answer }
  }

  describe('a chain that is in no table', () => {
    const send = () => fixture.transaction({ chainId: 9_119, value: 150_000_000n, gas: 0n })

    test('shows the chain name that the operator configured', async () => {
      await fixture.set(['chains', [feldnetz]])
      expect(await shown(send())).toMatchObject({
        placed: { place: 'page', reason: 'no_price', usd: null },
        page: { chain: { name: 'Feldnetz', symbol: 'FLD', decimals: 8 }, l1_fee: null },
      })
    })

    test('has no name if the operator set none, and can still be approved on the page', async () => {
      const { placed, page } = await shown(send())
      expect(placed).toMatchObject({ place: 'page', reason: 'no_price' })
      expect(page).toMatchObject({ state: 'open', chain: null })
    })

    test('converts an amount with the decimals of the configured coin', async () => {
      await fixture.set(['chains', [feldnetz]])
      fixture.dollars.set('9119', 10)
      // 1.5 coins.
      expect(await shown(send())).toMatchObject({ placed: { place: 'frame', usd: '15.00' } })
      await fixture.set(['chains', []])
      // With 18 decimals it would be almost zero.
      expect(await shown(send())).toMatchObject({ placed: { place: 'frame', usd: '0.01' } })
    })
  })

  describe('a chain of the OP stack', () => {
    let oracle: Awaited<ReturnType<typeof startOracle>>
    beforeEach(async () => {
      oracle = await startOracle()
      fixture.dollars.set('8453', 2_000)
      await fixture.set(['environment', 'development'], ['rpc_urls', { 8453: [oracle.url] }])
    })
    afterEach(() => oracle.close())
    /** A hundredth of a coin, and 21,000 gas at one gwei, at 2,000 dollars per coin. */
    const send = (chainId = 8453) => fixture.transaction({ chainId })

    test('adds the L1 data fee that the chain charges', async () => {
      oracle.charge(oneEther / 1_000n)
      const sent = send()
      expect(await shown(sent)).toMatchObject({
        placed: { place: 'frame', usd: '22.05' },
        page: { l1_fee: String(oneEther / 1_000n) },
      })
      expect(oracle.questions[0]).toEqual({
        to: '0x420000000000000000000000000000000000000F',
        unsigned: sent.params[0],
      })
      oracle.charge(oneEther / 20n)
      expect(await shown(send())).toMatchObject({ placed: { place: 'page', reason: 'beyond_allowance' } })
    })

    test('counts without the L1 fee if no node returns it, and informs the page', async () => {
      expect(await shown(send())).toMatchObject({
        placed: { place: 'frame', usd: '20.05' },
        page: { l1_fee: 'unknown' },
      })
    })

    test('calls the next RPC URL if the first fails', async () => {
      const second = await startOracle()
      second.charge(oneEther / 1_000n)
      await fixture.set(['rpc_urls', { 8453: [oracle.url, second.url] }])
      expect(await shown(send())).toMatchObject({ placed: { usd: '22.05' } })
      expect([oracle.questions.length, second.questions.length]).toEqual([2, 2])
      await second.close()
    })

    test('may be a chain that only the operator declares as one', async () => {
      oracle.charge(oneEther / 1_000n)
      fixture.dollars.set('9119', 2_000)
      const rpcUrls = ['rpc_urls', { 9119: [oracle.url] }] as const
      await fixture.set(rpcUrls, ['chains', [{ ...feldnetz, decimals: 18 }]])
      expect(await shown(send(9_119))).toMatchObject({ placed: { usd: '20.05' }, page: { l1_fee: null } })
      await fixture.set(['chains', [{ ...feldnetz, decimals: 18, op_stack: true }]])
      expect(await shown(send(9_119))).toMatchObject({ placed: { usd: '22.05' } })
    })

    test('does not read the L1 fee of a test network', async () => {
      await fixture.set(['test_networks', [8453]])
      expect((await fixture.put(send())).answer).toMatchObject({ place: 'frame', reason: 'test_network' })
      expect(oracle.questions).toEqual([])
    })
  })
})
