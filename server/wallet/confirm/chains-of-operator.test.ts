/** Chains as the operator has them: what they are called, what their coin is worth, and what they charge for data. */
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

  describe('a chain that no table has', () => {
    const send = () => fixture.transaction({ chainId: 9_119, value: 150_000_000n, gas: 0n })

    test('shows the chain name that the operator configured', async () => {
      await fixture.set(['chains', [feldnetz]])
      expect(await shown(send())).toMatchObject({
        placed: { place: 'page', reason: 'no_price', usd: null },
        page: { chain: { name: 'Feldnetz', symbol: 'FLD', decimals: 8 }, l1_fee: null },
      })
    })

    test('has no name where the operator gave it none, and is approved on the page all the same', async () => {
      const { placed, page } = await shown(send())
      expect(placed).toMatchObject({ place: 'page', reason: 'no_price' })
      expect(page).toMatchObject({ state: 'open', chain: null })
    })

    test('converts an amount with the decimals of the configured coin', async () => {
      await fixture.set(['chains', [feldnetz]])
      fixture.dollars.set('9119', 10)
      // 1.5 of them.
      expect(await shown(send())).toMatchObject({ placed: { place: 'frame', usd: '15.00' } })
      await fixture.set(['chains', []])
      // With eighteen it is nearly nothing.
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
    /** A hundredth, and 21,000 gas at one gwei, at 2,000 dollars. */
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

    test('counts without that where it does not say it, which the page is told', async () => {
      expect(await shown(send())).toMatchObject({
        placed: { place: 'frame', usd: '20.05' },
        page: { l1_fee: 'unknown' },
      })
    })

    test('is asked at the next address where the first says nothing', async () => {
      const second = await startOracle()
      second.charge(oneEther / 1_000n)
      await fixture.set(['rpc_urls', { 8453: [oracle.url, second.url] }])
      expect(await shown(send())).toMatchObject({ placed: { usd: '22.05' } })
      expect([oracle.questions.length, second.questions.length]).toEqual([2, 2])
      await second.close()
    })

    test('may be one that only the operator knows as such', async () => {
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
