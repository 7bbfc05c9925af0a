import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { rejectedError } from '../../approval/rejection.ts'
import { playing } from '../../testing/machine.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'
import { type ExportEvent, type ExportWindow, endingOfClose, exportStep, unexported } from './export-state.ts'

const after = playing(exportStep)
const account = { address: '0xwallet' } as WalletAccount
const windows = {} as ExportWindows
const makeWindow = () => ({}) as ExportWindow
const window = makeWindow()
const earlier = makeWindow()
const lost = new LatchkeyError('server_unreachable', 'lost')
const step = { at: 'window', window: 'open', buttonUrl: 'https://wallet.example' } as const

const toConnecting: readonly ExportEvent[] = [{ type: 'begin' }, { type: 'found', account }]
const toAsking: readonly ExportEvent[] = [
  ...toConnecting,
  { type: 'connected', windows },
  { type: 'led', window, obstacle: undefined },
]
const toReleasing: readonly ExportEvent[] = [...toAsking, { type: 'confirmed', window }]
const toOpen: readonly ExportEvent[] = [...toReleasing, { type: 'opened', window }]
const toFailed: readonly ExportEvent[] = [...toAsking, { type: 'window failed', window, cause: lost }]

describe('the machine of an export', () => {
  test('goes from the wallet to a window, and from what is confirmed there to the key', () => {
    const ways = [
      [toConnecting, 'connecting', ['connect']],
      [toAsking.slice(0, 3), 'connecting', ['lead']],
      [toAsking, 'asking', []],
      [[...toAsking, { type: 'pressed', state: 'open' }], 'asking', ['hear']],
      [toReleasing, 'releasing', []],
      [toOpen, 'open', ['track']],
      [[...toOpen, { type: 'closed', window }], 'open', ['end']],
      [toFailed, 'failed', ['abandon']],
      [[...toFailed, { type: 'retry' }], 'connecting', ['connect']],
    ] satisfies readonly (readonly [readonly ExportEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unexported, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a press after it was confirmed in the window', toReleasing, { type: 'pressed', state: 'open' }],
    ['what the button shows after it was confirmed', toReleasing, { type: 'window shown', window, step }],
    ['what a window shows that was given up', toAsking, { type: 'window shown', window: earlier, step }],
    [
      'a failure of a window that was given up',
      toOpen,
      { type: 'window failed', window: earlier, cause: lost },
    ],
    ['the end of a window that was given up', toAsking, { type: 'closed', window: earlier }],
    ['what was confirmed in a window that was given up', toAsking, { type: 'confirmed', window: earlier }],
    ['a retry while the key can be seen', toOpen, { type: 'retry' }],
    ['a connection that fails after it came', toAsking, { type: 'not connected', cause: lost }],
  ] satisfies readonly (readonly [string, readonly ExportEvent[], ExportEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unexported, ...events)
      expect(exportStep(state, event)).toEqual([state])
      expect(exportStep(state, event)[0]).toBe(state)
    },
  )

  test('ends with the refusal of a user who refuses in the window', () => {
    const cause = rejectedError()
    expect(after(unexported, ...toAsking, { type: 'window failed', window, cause }).effects).toEqual([
      { type: 'abandon', window },
      { type: 'end', ending: { type: 'failed', error: cause } },
    ])
  })

  test('counts a key that was shown once, whatever fails later, and counts it once', () => {
    const closed = (...events: readonly ExportEvent[]) => endingOfClose(after(unexported, ...events).state)
    expect(closed(...toReleasing)).toMatchObject({ error: { code: 'user_rejected_request' } })
    expect(closed(...toFailed)).toMatchObject({
      error: { code: 'unknown_embedded_wallet_error', cause: lost },
    })
    const failedAfter: readonly ExportEvent[] = [...toOpen, { type: 'window failed', window, cause: lost }]
    expect(closed(...failedAfter)).toEqual({ type: 'done', value: {} })
    const again = [{ type: 'retry' }, ...toAsking.slice(2), ...toOpen.slice(-2)] as readonly ExportEvent[]
    expect(after(unexported, ...failedAfter, ...again)).toMatchObject({ at: 'open', effects: [] })
  })

  test.each([
    ['in-app', 'approval_required_elsewhere'],
    ['cut-off', 'not_supported'],
  ] as const)('tells its caller why no window can be opened where the browser is %s', (obstacle, code) => {
    const { state } = after(unexported, ...toAsking.slice(0, 3), { type: 'led', window, obstacle })
    expect(endingOfClose(state)).toMatchObject({ type: 'failed', error: { details: { cause: code } } })
  })
})
