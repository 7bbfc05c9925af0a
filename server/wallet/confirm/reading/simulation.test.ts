/** Balance changes on the confirmation page: at a real chain, and from nodes that answer in other ways. */
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../../kernel/db/test-engines.ts'
import { startChain } from '../../../testing/sandbox.ts'
import { startCodeNode } from '../../descriptors/testing/node.ts'
import { newHandle } from '../testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, pricedToken, somebody } from '../testing/fixture.ts'

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const toWord = (value: string | bigint) =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`.toLowerCase()
const chainUrl = await startChain()
const stranger = '0x00000000000000000000000000000000000000f0'

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
  })
  const pageOf = async (request: WalletRpcRequest) => {
    const handle = newHandle()
    await fixture.put(request, { handle })
    return Object((await fixture.read(handle)).answer)
  }

  test('simulates a contract call at anvil', async () => {
    const { address } = fixture
    const callChain = async (method: string, params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      await fetch(chainUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    }
    await fixture.set(['environment', 'development'], ['rpc_urls', { 1: [chainUrl] }])
    await callChain('anvil_setBalance', [address, `0x${parseEther('2').toString(16)}`])
    // Forwards the value to the address in the first word of its data: CALL(gas, calldata[0], callvalue, 0, 0, 0, 0).
    await callChain('anvil_setCode', [somebody, '0x6000600060006000346000355af100'])
    const pay = (value: bigint, data: Hex) =>
      fixture.transaction({ to: somebody, value, data, gas: 100_000n })
    const toStranger = toWord(stranger) as Hex
    expect((await pageOf(pay(parseEther('0.5'), toStranger))).simulation).toEqual({
      reverts: false,
      changes: [{ token: null, symbol: 'ETH', amount: '-0.5', is_smallest_unit: false, id: null }],
    })
    expect((await pageOf(pay(parseEther('0.5'), toWord(address) as Hex))).simulation).toEqual({
      reverts: false,
      changes: [],
    })
    await callChain('anvil_setCode', [somebody, '0x60006000fd'])
    expect((await pageOf(pay(0n, toStranger))).simulation).toEqual({ reverts: true, changes: [] })
  })

  let node: Awaited<ReturnType<typeof startCodeNode>>
  beforeEach(async () => {
    node = await startCodeNode()
    await fixture.set(['environment', 'development'], ['rpc_urls', { 1: [node.url] }])
  })
  afterEach(() => node.close())
  const call = () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [somebody, 1n] })
    return fixture.transaction({ to: pricedToken as Hex, value: 5n, data })
  }
  type Transfer = { token: string; from: string; to: string; amount?: bigint; id?: bigint; topic?: string }
  const answerWith = (transfers: Transfer[]) =>
    node.simulate([
      {
        calls: [
          {
            status: '0x1',
            logs: transfers.map(({ token, from, to, amount = 0n, id, topic = transferTopic }) => ({
              address: token,
              topics: [topic, toWord(from), toWord(to), ...(id === undefined ? [] : [toWord(id)])],
              data: id === undefined ? toWord(amount) : '0x',
            })),
          },
        ],
      },
    ])

  test('sends the call as it would be submitted, and sums the transfers of the wallet', async () => {
    const { address: me } = fixture
    answerWith([
      { token: pricedToken, from: stranger, to: me, amount: 2_500_000n },
      { token: pricedToken, from: me, to: somebody, amount: 1_000_000n },
      { token: stranger, from: me, to: somebody, amount: 7n },
      { token: stranger, from: somebody, to: stranger, amount: 9n },
      { token: somebody, from: stranger, to: me, id: 3n },
      { token: `0x${'e'.repeat(40)}`, from: me, to: me, amount: 4n },
      { token: pricedToken, from: stranger, to: me, amount: 9n, topic: toWord(1n) },
    ])
    const { simulation } = await pageOf(call())
    expect(simulation).toEqual({
      reverts: false,
      changes: [
        {
          token: expect.stringMatching(/^0x0{38}dc$/i),
          symbol: 'PRC',
          amount: '+1.5',
          is_smallest_unit: false,
          id: null,
        },
        {
          token: expect.stringMatching(/^0x0{38}f0$/i),
          symbol: null,
          amount: '-7',
          is_smallest_unit: true,
          id: null,
        },
        {
          token: expect.stringMatching(/^0x0{38}aa$/i),
          symbol: null,
          amount: '+1',
          is_smallest_unit: false,
          id: '3',
        },
      ],
    })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [somebody, 1n] })
    expect(node.simulated).toEqual([
      {
        blockStateCalls: [{ calls: [{ from: me, to: pricedToken, value: '0x5', input: data }] }],
        traceTransfers: true,
        validation: false,
      },
    ])
  })

  test.each([
    ['a node without the method', undefined],
    ['another answer', { calls: [] }],
    ['an unknown status', [{ calls: [{ status: '0x2', logs: [] }] }]],
    ['a malformed log', [{ calls: [{ status: '0x1', logs: [{ address: '0x1', topics: [], data: '0x' }] }] }]],
  ])('shows nothing for %s, and the rest of the page', async (_name, answer) => {
    node.simulate(answer)
    const page = await pageOf(call())
    expect(page).toMatchObject({ state: 'open' })
    expect(page).not.toHaveProperty('simulation')
  })

  test('does not simulate a plain transfer, a new contract or typed data', async () => {
    answerWith([])
    const requests = [
      fixture.transaction(),
      fixture.transaction({ to: undefined, data: '0x60' }),
      fixture.typedData(),
    ]
    for (const request of requests) expect(await pageOf(request)).not.toHaveProperty('simulation')
    expect(node.simulated).toEqual([])
  })

  test('shows nothing if too many balances would change', async () => {
    const { address: me } = fixture
    answerWith(
      Array.from({ length: 51 }, (_, at) => ({ token: somebody, from: stranger, to: me, id: BigInt(at) })),
    )
    expect(await pageOf(call())).not.toHaveProperty('simulation')
  })
})
