import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import type { Connector } from '../sources/connector.ts'
import { namedWallets } from '../sources/named-wallets.ts'
import type { OfferedWallet } from '../sources/offered-wallets.ts'
import { type ConnectionEvent, connectionStep, shownStep, unconnected } from './connection-state.ts'

const after = playing(connectionStep)
const named = namedWallets.rainbow
const wallet: OfferedWallet = { key: 'rainbow', name: 'Rainbow', way: { type: 'relay', wallet: named } }
const ofPage: OfferedWallet = { key: 'me.rainbow', name: 'Rainbow', way: { type: 'page', id: '1' } }
const connector = {} as Connector
const account = { address: '0xwallet', chainId: 1 }
const move = { chainId: 8453, isRequired: false }
const appLink = undefined
const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
const meeting = { uri: 'wc:1', link: undefined, canInstall: true }
const failing = (attempt: AbortController, code: LatchkeyError['code'] = 'client_request_timeout') =>
  ({ type: 'failed', attempt, error: new LatchkeyError(code, 'failed') }) as const
const retry = (attempt: AbortController): ConnectionEvent => ({ type: 'retry', attempt })

const toOpening: readonly ConnectionEvent[] = [{ type: 'choose', wallet, attempt: first }]
const toConnecting: readonly ConnectionEvent[] = [...toOpening, { type: 'opened', attempt: first, connector }]
const toSwitching: readonly ConnectionEvent[] = [
  ...toConnecting,
  { type: 'connected', attempt: first, account, move, appLink },
]
const toUsing: readonly ConnectionEvent[] = [
  ...toConnecting,
  { type: 'connected', attempt: first, account, move: undefined, appLink },
]
const toOther: readonly ConnectionEvent[] = [
  ...toConnecting,
  { type: 'other account', attempt: first, address: '0xother', wanted: '0xwallet', appLink },
]
const toFailed: readonly ConnectionEvent[] = [...toConnecting, failing(first)]
const toFailedAgain: readonly ConnectionEvent[] = [...toFailed, retry(second), failing(second)]
const toEnd: readonly ConnectionEvent[] = [...toFailedAgain, retry(third), failing(third)]

describe('the machine of a connection', () => {
  test('goes from the choice of a wallet to its use', () => {
    const ways = [
      [toOpening, 'connecting', ['tell choice', 'show', 'open']],
      [toConnecting, 'connecting', ['connect']],
      [[...toConnecting, { type: 'meeting', attempt: first, meeting }], 'connecting', []],
      [[...toConnecting, { type: 'install' }], 'connecting', ['show guide']],
      [toSwitching, 'switching', ['switch']],
      [[...toSwitching, { type: 'switched', attempt: first }], 'using', ['use']],
      [[...toSwitching, { type: 'not switched', attempt: first }], 'using', ['use']],
      [toUsing, 'using', ['use']],
      [toOther, 'other account', ['refuse']],
      [[...toOther, retry(second)], 'connecting', ['connect']],
      [toFailed, 'failed', ['tell failure']],
      [[...toFailed, retry(second)], 'connecting', ['connect']],
      [[...toOpening, failing(first), retry(second)], 'connecting', ['open']],
    ] satisfies readonly (readonly [readonly ConnectionEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unconnected, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test('uses a wallet on the chain that it was asked to go to, or where it stays', () => {
    expect(after(unconnected, ...toSwitching, { type: 'switched', attempt: first }).effects).toMatchObject([
      { account: { address: '0xwallet', chainId: 8453 }, isRetry: false },
    ])
    expect(
      after(unconnected, ...toSwitching, { type: 'not switched', attempt: first }).effects,
    ).toMatchObject([{ account: { address: '0xwallet', chainId: 1 } }])
  })

  test('offers two more attempts, and gives up after the third failure', () => {
    expect(after(unconnected, ...toFailed).phase).toMatchObject({ problem: 'timedOut', isRepeated: false })
    expect(after(unconnected, ...toFailedAgain).phase).toMatchObject({ at: 'failed', isRepeated: true })
    const { at, effects } = after(unconnected, ...toEnd)
    expect([at, effects.map(({ type }) => type)]).toEqual(['given up', ['tell failure', 'show end']])
  })

  test('does not give up where another user has the account', () => {
    const { phase } = after(unconnected, ...toEnd.slice(0, -1), failing(third, 'linked_to_another_user'))
    expect(phase).toMatchObject({ at: 'failed', problem: 'userExists' })
  })

  test('tells who uses it that it was tried before, though not because of another account', () => {
    const again = [
      retry(second),
      { type: 'connected', attempt: second, account, move: undefined, appLink },
    ] satisfies readonly ConnectionEvent[]
    expect(after(unconnected, ...toFailed, ...again).effects).toMatchObject([{ isRetry: true }])
    expect(after(unconnected, ...toOther, ...again).effects).toMatchObject([{ isRetry: false }])
  })

  test('keeps what is seen until who uses it says something else', () => {
    const met: ConnectionEvent = { type: 'meeting', attempt: first, meeting }
    const { state } = after(unconnected, ...toConnecting, met, ...toUsing.slice(-1))
    expect(shownStep(state.phase)).toEqual({ status: 'connecting', meeting })
    const shown = after(state, { type: 'shown', attempt: first, step: { status: 'sign' } })
    expect(shownStep(shown.state.phase)).toEqual({ status: 'sign' })
  })

  test.each([
    ['one that is connected another way', ofPage, 'connecting', ['abandon', 'tell choice', 'show', 'open']],
    [
      'one to install',
      { ...wallet, way: { type: 'install', wallet: named } },
      'unchosen',
      ['abandon', 'show guide'],
    ],
    [
      'one on this phone',
      { ...wallet, way: { type: 'phone', wallet: named } },
      'unchosen',
      ['abandon', 'show phone'],
    ],
  ] satisfies readonly (readonly [string, OfferedWallet, string, readonly string[]])[])(
    'gives a wallet up for %s, with its connection',
    (_, other, at, effects) => {
      for (const events of [toConnecting, toSwitching, toUsing, toOther, toFailed]) {
        const played = after(unconnected, ...events, { type: 'choose', wallet: other, attempt: second })
        expect([played.at, played.effects.map(({ type }) => type)]).toEqual([at, effects])
        expect(played.effects[0]).toEqual({ type: 'abandon', attempt: first, connector })
      }
    },
  )

  test.each([
    ['a failure of an earlier attempt', [...toFailed, retry(second)], failing(first)],
    [
      'an account of an earlier attempt',
      [...toFailed, retry(second)],
      { type: 'connected', attempt: first, account, move, appLink },
    ],
    [
      'a meeting of an earlier attempt',
      [...toFailed, retry(second)],
      { type: 'meeting', attempt: first, meeting },
    ],
    [
      'a connector of a wallet that was given up',
      [...toOpening, { type: 'choose', wallet: ofPage, attempt: second }],
      { type: 'opened', attempt: first, connector },
    ],
    [
      'what is shown of a wallet that was given up',
      [...toUsing, { type: 'choose', wallet: ofPage, attempt: second }],
      { type: 'shown', attempt: first, step: { status: 'success' } },
    ],
    ['another attempt while one is under way', toConnecting, retry(second)],
    [
      'an install of a wallet of the page',
      [{ type: 'choose', wallet: ofPage, attempt: first }],
      { type: 'install' },
    ],
    ['another attempt after it gave up', toEnd, retry(first)],
  ] satisfies readonly (readonly [string, readonly ConnectionEvent[], ConnectionEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unconnected, ...events)
      expect(connectionStep(state, event)).toEqual([state])
      expect(connectionStep(state, event)[0]).toBe(state)
    },
  )
})
