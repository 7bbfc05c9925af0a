import type { ActivityEntry } from '@latchkey/protocol/api'
import { describe, expect, test, vi } from 'vitest'
import { makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, solanaAccount, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { pressIn } from '../../testing/read-screen.ts'

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
  { id: 'zero', at: 1_767_225_400, kind: 'app_request', app: 'Harbor' },
]

async function fixture(answer: () => { activity: ActivityEntry[]; next: string | null }, user = walletUser) {
  const made = await makeFixture({ answers: { activity: answer, me: () => user }, standalone: true })
  made.session.accept(makeAuthAnswer({ user }))
  void made.dialog.runStandalone()
  await comes(() => made.state('SIGNED_IN'))
  const rows = () => made.state('SIGNED_IN').entries
  return { ...made, rows }
}
/** Screens are loaded when they are gone to, which takes as long as it takes. */
const comes = (isThere: () => unknown) => vi.waitFor(isThere, { timeout: 20_000, interval: 5 })

describe('the activity of a wallet', () => {
  test('is read from where its user looks at their account, and left by going back', async () => {
    const made = await fixture(() => ({ activity: [...entries], next: null }))
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await comes(() => expect(made.state('ACTIVITY_SCREEN').status).toBe('read'))
    expect(made.state('ACTIVITY_SCREEN')).toEqual({
      status: 'read',
      rows: [
        {
          id: 'two',
          kind: 'transaction',
          atMs: 1_767_225_600_000,
          isSilent: true,
          app: undefined,
          to,
          network: 'OP Mainnet',
          amount: '0.25 ETH',
        },
        {
          id: 'one',
          kind: 'created',
          atMs: 1_767_225_500_000,
          isSilent: false,
          app: undefined,
          to: undefined,
          network: undefined,
          amount: undefined,
        },
        {
          id: 'zero',
          kind: 'app_request',
          atMs: 1_767_225_400_000,
          isSilent: false,
          app: 'Harbor',
          to: undefined,
          network: undefined,
          amount: undefined,
        },
      ],
      older: 'none',
    })
    await made.back()
    expect(made.screen()).toBe('SIGNED_IN')
  })

  test('is there where it is a Solana wallet alone', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, solanaAccount]
    const made = await fixture(() => ({ activity: [...entries], next: null }), {
      ...visitorUser,
      linkedAccounts,
    })
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await comes(() => expect(made.state('ACTIVITY_SCREEN').status).toBe('read'))
  })

  test('can be asked for again where the server did not answer', async () => {
    let isThere = false
    const made = await fixture(() => {
      if (!isThere) throw refused('internal_error', 500)
      return { activity: [], next: null }
    })
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await comes(() => expect(made.state('ACTIVITY_SCREEN')).toEqual({ status: 'failed' }))
    isThere = true
    await made.press('ACTIVITY_SCREEN', 'retry')
    await comes(() =>
      expect(made.state('ACTIVITY_SCREEN')).toEqual({ status: 'read', rows: [], older: 'none' }),
    )
  })

  test('is read on from where it ended, once, and again where the server did not answer', async () => {
    const [newer, older] = entries
    if (!newer || !older) throw new Error('There are two entries')
    let isThere = false
    const made = await fixture(() => {
      if (made?.transport.calls('activity').length < 2) return { activity: [newer], next: '1767225600.two' }
      if (!isThere) throw refused('internal_error', 500)
      return { activity: [older], next: null }
    })
    const shown = () => {
      const state = made.state('ACTIVITY_SCREEN')
      return state.status === 'read' ? [state.rows.map(({ id }) => id), state.older] : state.status
    }
    const [row] = made.rows()
    if (row) pressIn(row, 'open', [])
    await comes(() => expect(shown()).toEqual([['two'], 'there']))
    await made.press('ACTIVITY_SCREEN', 'more')
    await comes(() => expect(shown()).toEqual([['two'], 'failed']))
    isThere = true
    await made.press('ACTIVITY_SCREEN', 'more')
    await comes(() => expect(shown()).toEqual([['two', 'one'], 'none']))
    // There is nothing more: nobody is asked.
    await made.press('ACTIVITY_SCREEN', 'more')
    const before = { query: { before: '1767225600.two' } }
    expect(made.transport.calls('activity')).toMatchObject([{}, before, before])
    expect(made.transport.calls('activity')).toHaveLength(3)
  })

  test('is no row for who has no wallet', async () => {
    const withWallet = await fixture(() => ({ activity: [], next: null }))
    const without = await fixture(() => ({ activity: [], next: null }), visitorUser)
    expect(withWallet.rows().length - without.rows().length).toBe(1)
  })
})
