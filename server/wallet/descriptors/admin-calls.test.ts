/** Descriptors by the Admin API: validated, pinned by hash and code, and removed. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { type AdminFixture, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { hashFile } from './descriptors.ts'
import { startCodeNode } from './testing/node.ts'
import { contract, orderDescriptor, swapDescriptor } from './testing/samples.ts'

forDefaultEngine((database) => {
  let fixture: AdminFixture
  let node: Awaited<ReturnType<typeof startCodeNode>>
  beforeEach(async () => {
    fixture = await adminFixture(database())
    node = await startCodeNode()
    node.codes.set(contract, '0x6001')
    const { db, clock } = fixture.context
    await setFields(db, clock, fixture.app.id, [
      ['environment', 'development'],
      ['rpc_urls', { 1: [node.url] }],
    ])
    clock.advanceSeconds(2)
  })
  afterEach(() => node.close())
  const path = () => `/apps/${fixture.app.id}/descriptors`
  const add = (descriptor: unknown) => {
    const file = typeof descriptor === 'string' ? descriptor : JSON.stringify(descriptor)
    return fixture.call('POST', path(), { body: { file } })
  }
  const list = async () => (await fixture.call('GET', path())).body.data
  const deployedAt = (...chainIds: number[]) => ({
    ...swapDescriptor,
    context: { contract: { deployments: chainIds.map((chainId) => ({ chainId, address: contract })) } },
  })

  test('adds, lists and removes a descriptor, with audit entries of the app and of the call', async () => {
    const file = JSON.stringify(swapDescriptor, null, 2)
    const added = await add(file)
    const descriptor = {
      id: hashFile(file),
      kind: 'contract',
      owner: 'Harbour',
      contracts: [{ chain_id: '1', address: contract, code_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      created_at: expect.any(String),
    }
    expect(added).toMatchObject({ status: 201, body: { ...descriptor, skipped: [] } })
    expect((await add(orderDescriptor)).status).toBe(201)
    expect(await list()).toEqual(expect.arrayContaining([descriptor]))
    const removed = await fixture.call('DELETE', `${path()}/${descriptor.id}`)
    expect(removed).toMatchObject({ status: 200, body: { id: descriptor.id } })
    expect(await list()).toMatchObject([{ kind: 'eip712' }])
    expect(await fixture.call('DELETE', `${path()}/${descriptor.id}`)).toMatchObject({
      status: 404,
      body: { code: 'descriptor_not_found' },
    })
    const audited = (await fixture.readAudit()).filter(({ target }) => target === descriptor.id)
    expect(audited.map(({ operation, result }) => [operation, result])).toEqual([
      ['removeDescriptor', 'ok'],
      ['removeDescriptor', 'descriptor_not_found'],
    ])
    const events = await fixture.context.db
      .selectFrom('audit_log')
      .select('event')
      .where('event', 'like', 'app.descriptor%')
      .orderBy('event')
      .execute()
    expect(events.map(({ event }) => event)).toEqual([
      'app.descriptor_added',
      'app.descriptor_added',
      'app.descriptor_removed',
    ])
  })

  test('names contracts on chains without a node', async () => {
    expect((await add(deployedAt(1, 137))).body.skipped).toEqual([{ chain_id: '137', address: contract }])
  })

  test('accepts a file of 128 KiB, and no longer one', async () => {
    const file = JSON.stringify(swapDescriptor)
    const most = 128 * 1_024
    expect((await add(file.padEnd(most))).status).toBe(201)
    expect((await add(file.padEnd(most + 1))).body.code).toBe('descriptor_too_large')
    expect((await add('"'.repeat(200_000))).body.code).toBe('payload_too_large')
  })

  test.each<[string, unknown, number, string]>([
    ['no JSON', '{', 400, 'descriptor_invalid'],
    ['another file in it', { ...swapDescriptor, includes: 'common.json' }, 400, 'descriptor_not_supported'],
    ['a chain without a node', deployedAt(5), 502, 'chain_node_failed'],
  ])('refuses %s', async (_, descriptor, status, code) => {
    expect(await add(descriptor)).toMatchObject({ status, body: { code, path: 'file' } })
    expect(await list()).toEqual([])
  })

  test('refuses a contract without code, and a second descriptor of a contract', async () => {
    expect((await add(swapDescriptor)).status).toBe(201)
    const second = { ...swapDescriptor, metadata: { ...swapDescriptor.metadata, owner: 'Another' } }
    expect(await add(second)).toMatchObject({ status: 409, body: { code: 'descriptor_exists' } })
    node.codes.clear()
    expect((await add(orderDescriptor)).body.code).toBe('contract_not_found')
    expect(await list()).toHaveLength(1)
  })
})
