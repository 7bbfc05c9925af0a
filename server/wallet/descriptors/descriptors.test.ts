/** Descriptors from the command line to the confirmation page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { confirmationPlaces, type WalletRpcRequest } from '@latchkey/protocol/wallet'
import { type Hex, toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createCommandContext } from '../../testing/context.ts'
import { confirmationTables } from '../confirm/tables.ts'
import { newHandle } from '../confirm/testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, pricedToken, somebody } from '../confirm/testing/fixture.ts'
import { descriptorsCommand } from './command.ts'
import { startCodeNode } from './testing/node.ts'
import { contract, orderDescriptor, orderTypedData, swapCall, swapDescriptor } from './testing/samples.ts'

const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const library = '0x00000000000000000000000000000000000000b1'
const otherLibrary = '0x00000000000000000000000000000000000000b2'
const toWord = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
const swapSelector = toFunctionSelector('swap((address,uint256)[],address,uint8,uint256,bytes)')

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  let node: Awaited<ReturnType<typeof startCodeNode>>
  let folder: string
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    node = await startCodeNode()
    node.codes.set(contract, '0x6001')
    folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
    await fixture.set(['environment', 'development'], ['rpc_urls', { 1: [node.url] }])
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true })
    await node.close()
  })

  const run = (...args: string[]) =>
    descriptorsCommand.run(fixture.app.id, args, fixture.context.db, createCommandContext(fixture.context))
  const write = (descriptor: unknown) => {
    const path = join(folder, `${newHandle()}.json`)
    writeFileSync(path, typeof descriptor === 'string' ? descriptor : JSON.stringify(descriptor))
    return path
  }
  const add = async (descriptor: unknown) => {
    const outcome = await run('add', write(descriptor))
    return { ...outcome, hash: outcome.lines[0]?.split(' ', 1)[0] ?? '' }
  }
  const swap = (change = {}) => fixture.transaction({ to: contract, value: 0n, data: swapCall(), ...change })
  const order = () => fixture.typedData(orderTypedData)
  const shown = async (request: WalletRpcRequest) => {
    const handle = newHandle()
    const { answer } = await fixture.put(request, { handle })
    const page = await fixture.read(handle)
    return { placed: answer, page: page.answer }
  }
  const descriptionOf = async (request: WalletRpcRequest) => Object((await shown(request)).page).description

  describe('the command', () => {
    test('adds, lists and removes a descriptor, with audit entries', async () => {
      const { type, lines, hash } = await add(swapDescriptor)
      expect({ type, hash }).toEqual({ type: 'done', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
      expect(lines).toEqual([
        `${hash}  contract  Harbour`,
        expect.stringMatching(new RegExp(`^ {2}chain 1 {2}${contract} {2}code [0-9a-f]{16}…$`)),
      ])
      expect(await run()).toEqual({ type: 'done', lines })
      expect(await run('remove', hash)).toEqual({ type: 'done', lines: [`Removed ${hash}.`] })
      expect(await run('list')).toEqual({ type: 'done', lines: [] })
      expect(await run('remove', hash)).toMatchObject({ type: 'refused' })
      const entries = await fixture.context.db
        .selectFrom('audit_log')
        .select(['event', 'details'])
        .where('event', 'like', 'app.%')
        .where('app_id', '=', fixture.app.id)
        .execute()
      expect(entries).toEqual([
        {
          event: 'app.descriptor_added',
          details: JSON.stringify({ hash, kind: 'contract', owner: 'Harbour' }),
        },
        { event: 'app.descriptor_removed', details: JSON.stringify({ hash }) },
      ])
    })

    test('skips chains without a node', async () => {
      const deployments = [1, 137].map((chainId) => ({ chainId, address: contract }))
      const { lines } = await add({ ...swapDescriptor, context: { contract: { deployments } } })
      expect(lines[2]).toBe(`  chain 137  ${contract}  skipped: no node of this chain`)
    })

    test.each([
      ['no JSON', '{', 'is not JSON (descriptor_invalid).'],
      ['too long', ' '.repeat(200_000), 'exceeds 131072 bytes (descriptor_too_large).'],
      [
        'another file',
        { ...swapDescriptor, includes: 'common.json' },
        'includes reads another file: merge both into one (descriptor_not_supported).',
      ],
      [
        'a contract that does not exist',
        { ...swapDescriptor, context: { contract: { deployments: [{ chainId: 1, address: library }] } } },
        `Chain 1 has no contract at ${library} (contract_not_found).`,
      ],
      [
        'a chain without a node',
        { ...swapDescriptor, context: { contract: { deployments: [{ chainId: 5, address: contract }] } } },
        'No deployment is on a chain with a node: set rpc_urls of the app (chain_node_failed).',
      ],
    ])('refuses %s', async (_name, descriptor, line) => {
      expect(await run('add', write(descriptor))).toEqual({ type: 'refused', lines: [line] })
      expect(await run()).toEqual({ type: 'done', lines: [] })
    })

    test('refuses a second descriptor of a contract, and keeps the first whole', async () => {
      const { lines } = await add(swapDescriptor)
      const deployments = [library, contract].map((address) => ({ chainId: 1, address }))
      node.codes.set(library, '0x6002')
      const second = await add({ ...swapDescriptor, context: { contract: { deployments } } })
      expect(second.lines).toEqual([
        'The app has a descriptor of one of these contracts. Remove it first (descriptor_exists).',
      ])
      expect(await run()).toEqual({ type: 'done', lines })
    })

    test('refuses to add without an answer of the node', async () => {
      node.setDown(true)
      expect((await add(swapDescriptor)).lines[0]).toMatch(
        /^The node of chain 1 failed: .*\(chain_node_failed\)\.$/,
      )
    })

    test('prints its usage for anything else', async () => {
      for (const args of [['add'], ['remove'], ['list', 'x'], ['show', 'x'], ['add', 'x', 'y']]) {
        expect(await run(...args)).toMatchObject({ type: 'misused' })
      }
      expect(await run('add', join(folder, 'missing.json'))).toMatchObject({ type: 'refused' })
    })
  })

  describe('the page', () => {
    test('shows a call in the words of the descriptor and its owner', async () => {
      await add(swapDescriptor)
      const { placed, page } = await shown(swap())
      expect(placed).toMatchObject({ place: 'page', reason: 'not_understood' })
      expect(page).toMatchObject({
        description: {
          owner: 'Harbour',
          intent: 'Swap tokens',
          lines: [
            {
              label: 'You pay',
              value: expect.stringMatching(/^1\.5 PRC \(0x0{38}dc\)$/i),
              is_smallest_unit: false,
            },
            { label: 'You pay', value: expect.stringMatching(/^7 \(0x0{38}ee\)$/i), is_smallest_unit: true },
            { label: 'Receiver' },
            { label: 'Mode', value: 'Best effort (1)' },
            { label: 'Until' },
            { label: 'Paid in coins', value: '0 ETH' },
          ],
          rest: [{ path: 'extra', value: '0xc0ffee' }],
        },
      })
    })

    test('shows typed data in the words of the descriptor', async () => {
      await add(orderDescriptor)
      expect(await descriptionOf(order())).toEqual({
        owner: 'Harbour',
        intent: 'Sell an item',
        lines: [
          { label: 'Price', value: expect.stringMatching(/^2 PRC \(0x0{38}dc\)$/i), is_smallest_unit: false },
        ],
        rest: [{ path: 'buyer', value: expect.stringMatching(/^0x0{38}C1$/i) }],
      })
      const other = { ...orderTypedData, domain: { ...orderTypedData.domain, name: 'Imitation' } }
      expect(await descriptionOf(fixture.typedData(other))).toBeUndefined()
    })

    test('has no words for other calls, chains and apps, or after the removal', async () => {
      const { hash } = await add(swapDescriptor)
      const requests = [
        swap({ data: '0x12345678' }),
        swap({ to: library }),
        swap({ chainId: 10 }),
        swap({ data: '0x', value: 1n }),
        order(),
      ]
      for (const request of requests) expect(await descriptionOf(request)).toBeUndefined()
      await run('remove', hash)
      expect(await descriptionOf(swap())).toBeUndefined()
    })
  })

  describe('a change of the code', () => {
    const cases: readonly [string, () => void][] = [
      ['of the contract', () => node.codes.set(contract, '0x6002')],
      [
        'of an EIP-1967 proxy',
        () => node.storage.set(`${contract} ${implementationSlot}`, toWord(otherLibrary)),
      ],
      ['behind the proxy', () => node.codes.set(library, '0x6009')],
      ['of the beacon', () => node.storage.set(`${contract} ${beaconSlot}`, toWord(otherLibrary))],
      ['away', () => node.codes.delete(contract)],
      ['that no node can exclude', () => node.setDown(true)],
    ]

    test.each(cases)(
      '%s ends the description, and moves a listed call from the card to the page',
      async (_, change) => {
        const call = { chain: 1, contract, selector: swapSelector, calls_per_day: 9 }
        await fixture.set(['card_calls', [call]])
        node.storage.set(`${contract} ${implementationSlot}`, toWord(library))
        node.storage.set(`${otherLibrary} 0x5c60da1b`, toWord(library))
        node.codes.set(library, '0x6003')
        await add(swapDescriptor)
        expect(await shown(swap())).toMatchObject({
          placed: { place: 'frame', reason: 'within_limits' },
          page: { description: { owner: 'Harbour' } },
        })
        change()
        const { placed, page } = await shown(swap())
        expect(placed).toMatchObject({ place: 'page', reason: 'not_understood' })
        expect(page).not.toHaveProperty('description')
      },
    )

    test('of another contract is irrelevant', async () => {
      await add(swapDescriptor)
      node.codes.set(library, '0x6009')
      expect(await descriptionOf(swap())).toMatchObject({ owner: 'Harbour' })
    })
  })

  test('a file that was changed in the database is not used', async () => {
    await add(swapDescriptor)
    const changed = JSON.stringify({ ...swapDescriptor, metadata: { owner: 'Imitation' } })
    await fixture.context.db
      .withTables<{ descriptors: { file: string } }>()
      .updateTable('descriptors')
      .set({ file: changed })
      .execute()
    expect(await descriptionOf(swap())).toBeUndefined()
  })

  test('no descriptor lowers the approval surface of a request', async () => {
    const call = (selector: string) => ({ chain: 1, contract, selector, calls_per_day: 50 })
    await fixture.set(
      ['test_networks', [5]],
      ['card_calls', [call(swapSelector), call('0x12345678')]],
      ['card_typed_data', [{ contract, primary_type: 'Order' }]],
      ['frame_approvals_usd_per_day', 1_000],
    )
    const transfer: Hex = `0xa9059cbb${toWord(somebody).slice(2)}${'0'.repeat(63)}1`
    const approve: Hex = `0x095ea7b3${toWord(somebody).slice(2)}${'0'.repeat(63)}1`
    const requests = [
      fixture.message(),
      fixture.transaction(),
      fixture.transaction({ chainId: 5, to: contract, data: swapCall() }),
      fixture.transaction({ to: pricedToken as Hex, value: 0n, data: transfer }),
      swap(),
      swap({ value: 1n }),
      swap({ data: `${swapCall()}00` }),
      swap({ data: '0x12345678' }),
      swap({ data: approve }),
      swap({ data: transfer }),
      order(),
      fixture.typedData({ ...orderTypedData, domain: { ...orderTypedData.domain, name: 'Other' } }),
    ]
    const placeAll = async () => {
      const places: number[] = []
      for (const place of confirmationPlaces) {
        for (const request of requests) {
          const { answer } = await fixture.put(request, { place })
          places.push(confirmationPlaces.indexOf(Object(answer).place))
        }
      }
      // A session may have fifty open requests.
      await confirmationTables(fixture.context.db).deleteFrom('confirmations').execute()
      expect(places).not.toContain(-1)
      return places
    }
    const generous = {
      ...swapDescriptor,
      display: {
        formats: {
          ...swapDescriptor.display.formats,
          'approve(address to,uint256 amount)': { intent: 'A plain message', fields: [] },
          'transfer(address to,uint256 amount)': { intent: 'Nothing', fields: [] },
        },
      },
    }
    const without = await placeAll()
    expect(new Set(without).size).toBeGreaterThan(1)
    await add(generous)
    await add(orderDescriptor)
    const withDescriptors = await placeAll()
    node.codes.set(contract, '0x6002')
    const afterChange = await placeAll()
    const lowered = (places: number[]) =>
      places.flatMap((place, at) => (place < Number(without[at]) ? [at] : []))
    expect([lowered(withDescriptors), lowered(afterChange)]).toEqual([[], []])
    expect(afterChange).not.toEqual(without)
  })
})
