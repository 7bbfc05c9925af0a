/** Trying a request by the Admin API: the same decision as for a user, without a trace. */
import { adminApprovalRoutes, adminPrefix } from '@latchkey/protocol/admin'
import { encodeFunctionData, erc20Abi } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createAdminApp, createAdminKey } from '../../platform/admin/admin.ts'
import { approvalEndpoints } from './admin-calls.ts'
import { confirmFixture, pricedToken, somebody } from './testing/fixture.ts'

type Fixture = Awaited<ReturnType<typeof confirmFixture>>

forDefaultEngine((database) => {
  let fixture: Fixture
  let tryRequest: (body: object) => Promise<{ status: number; body: Record<string, unknown> }>
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    const { context, app } = fixture
    const server = createAdminApp(context, approvalEndpoints)
    const { secret } = await context.transaction((trx) =>
      createAdminKey(trx, context.clock, {
        name: 'ci',
        operator: undefined,
        scopes: ['apps:read'],
        appId: app.id,
        networks: [],
        days: 1,
      }),
    )
    tryRequest = async (body) => {
      const path = adminPrefix + adminApprovalRoutes.tryApproval.path.replace('{app}', app.id)
      const answer = await server.request(`http://127.0.0.1:4100${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json() }
    }
  })
  const coins = (changes: object = {}) => ({
    transaction: { chain_id: 1, to: somebody, value: '10000000000000000', ...changes },
  })
  const fee = { gas: '21000', max_fee_per_gas: '1000000000' }
  const tokens = (amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [somebody, amount] })
  const allowance = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [somebody, 1n] })

  test('decides like for a user, and stores nothing', async () => {
    const { address, put, transaction } = fixture
    const { body } = await tryRequest({ ...coins(fee), from: address })
    const rows = await fixture.context.db
      .selectFrom('confirmations' as never)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
    const { answer } = await put(transaction())
    const { place, reason, usd } = answer as Record<string, unknown>
    expect(body).toEqual({
      place,
      reason,
      usd,
      refusal: null,
      limits: [{ name: 'allowance', unit: 'cents', most: 10_000 }],
    })
    expect([place, usd]).toEqual(['frame', '20.05'])
  })

  test.each<[string, object, object]>([
    [
      'more than the allowance',
      coins({ value: '1000000000000000000' }),
      { place: 'page', reason: 'beyond_allowance', usd: '2000.00' },
    ],
    [
      'a priced token',
      coins({ to: pricedToken, value: '0', data: tokens(5_000_000n) }),
      { place: 'frame', reason: 'within_allowance', usd: '5.00' },
    ],
    [
      'an allowance',
      coins({ value: '0', data: allowance }),
      { place: 'page', reason: 'allowance_or_permit', limits: [] },
    ],
    ['an unknown call', coins({ data: '0x12345678' }), { place: 'page', reason: 'not_understood' }],
    [
      'a contract creation',
      { transaction: { chain_id: 1, data: '0x60' } },
      { place: 'page', reason: 'not_understood' },
    ],
    [
      'a message',
      { message: 'Hello' },
      { place: 'frame', reason: 'plain_message', limits: [{ name: 'messages', unit: 'times', most: 200 }] },
    ],
    [
      'a browser that detects no covers',
      { ...coins(), place: 'unseen' },
      { place: 'unseen', reason: 'within_allowance' },
    ],
    [
      'a request without a screen',
      { message: 'Hello', place: 'silent' },
      { place: 'frame', reason: 'plain_message' },
    ],
    [
      'typed data that is no JSON',
      { typed_data: '{' },
      { place: 'refused', reason: null, refusal: { code: 'invalid_message' } },
    ],
    [
      'an empty message in hex',
      { message: '0x' },
      { place: 'refused', refusal: { code: 'invalid_message' } },
    ],
  ])('explains %s', async (_, body, outcome) => {
    expect(await tryRequest(body)).toMatchObject({ status: 200, body: outcome })
  })

  test('names the limit of a listed call', async () => {
    const listed = { chain: 1, contract: somebody, selector: '0x12345678', calls_per_day: 3 }
    await fixture.set(['card_calls', [listed]])
    expect(await tryRequest(coins({ value: '0', data: '0x12345678' }))).toMatchObject({
      body: {
        place: 'frame',
        reason: 'within_limits',
        limits: [
          { name: 'allowance' },
          { name: `card-call:1:${somebody}:0x12345678:times`, unit: 'times', most: 3 },
        ],
      },
    })
  })

  test.each<[string, object]>([
    ['nothing', {}],
    ['two requests', { ...coins(), message: 'Hello' }],
    ['a value that fits no word', coins({ value: String(2n ** 256n) })],
    ['a negative value', coins({ value: '-1' })],
    ['half a byte', coins({ data: '0x123' })],
  ])('rejects %s', async (_, body) => {
    expect(await tryRequest(body)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
  })
})
