import type { ActivityEntry } from '@latchkey/protocol/api'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadPart } from '../../core/screen.ts'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { pressIn } from '../../testing/press.ts'
import { makeWorld, refused } from '../../testing/world.ts'
import { accountEntry } from './screens.ts'

// What is shown and asked for is there, so that the turns of a flow are its own.
beforeAll(() => Promise.all([import('./activity-flow.ts'), loadPart(accountEntry, 'en')]))

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const entries: readonly ActivityEntry[] = [
  {
    id: 'two',
    at: 1_767_225_600,
    kind: 'transaction',
    method: 'eth_signTransaction',
    place: 'silent',
    digest: `0x${'ab'.repeat(32)}`,
    chainId: '10',
    to,
    value: '250000000000000000',
  },
  { id: 'one', at: 1_767_225_500, kind: 'created' },
]

async function world(answer: () => { activity: ActivityEntry[]; next: null }, user = walletUser) {
  const made = await makeWorld({ answers: { activity: answer, me: () => user }, standalone: true })
  made.session.accept(makeAuthAnswer({ user }))
  void made.dialog.runStandalone()
  await come()
  const rows = () => made.state('SIGNED_IN').entries
  return { ...made, rows }
}
async function come() {
  for (let turn = 0; turn < 20; turn += 1) await settle()
}

describe('the activity of a wallet', () => {
  test('is read from where its user looks at their account, and left by going back', async () => {
    const made = await world(() => ({ activity: [...entries], next: null }))
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await come()
    expect(made.state('ACTIVITY_SCREEN')).toEqual({
      status: 'read',
      rows: [
        {
          id: 'two',
          kind: 'transaction',
          atMs: 1_767_225_600_000,
          isSilent: true,
          to,
          network: 'OP Mainnet',
          amount: '0.25 ETH',
        },
        {
          id: 'one',
          kind: 'created',
          atMs: 1_767_225_500_000,
          isSilent: false,
          to: undefined,
          network: undefined,
          amount: undefined,
        },
      ],
    })
    await made.back()
    expect(made.screen()).toBe('SIGNED_IN')
  })

  test('can be asked for again where the server did not answer', async () => {
    let isThere = false
    const made = await world(() => {
      if (!isThere) throw refused('internal_error', 500)
      return { activity: [], next: null }
    })
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await come()
    expect(made.state('ACTIVITY_SCREEN')).toEqual({ status: 'failed' })
    isThere = true
    await made.press('ACTIVITY_SCREEN', 'retry')
    await come()
    expect(made.state('ACTIVITY_SCREEN')).toEqual({ status: 'read', rows: [] })
  })

  test('is no row for who has no wallet', async () => {
    const withWallet = await world(() => ({ activity: [], next: null }))
    const without = await world(() => ({ activity: [], next: null }), visitorUser)
    expect(withWallet.rows().length - without.rows().length).toBe(1)
  })
})
