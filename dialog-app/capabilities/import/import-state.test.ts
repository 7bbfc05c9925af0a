import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { endingOfClose, type ImportEvent, importStep, unimported } from './import-state.ts'

const after = playing(importStep)
const account = { address: '0xwallet' } as WalletAccount
const page = { channel: {} as WalletChannel, pageUrl: 'https://wallet.example/import' }
const failing = (code: LatchkeyError['code']) =>
  ({ type: 'failed', cause: new LatchkeyError(code, 'failed') }) as const
const lost = failing('server_unreachable')

const toOpening: readonly ImportEvent[] = [{ type: 'begin' }, { type: 'found' }]
const toPage: readonly ImportEvent[] = [...toOpening, { type: 'opened', page }]
const toImporting: readonly ImportEvent[] = [...toPage, { type: 'chosen', address: '0xwallet' }]
const toDone: readonly ImportEvent[] = [...toImporting, { type: 'imported', account }]

describe('the machine of an import', () => {
  test('goes from the page that takes the key to the wallet, and begins anew with a page where that failed', () => {
    const ways = [
      [[{ type: 'begin' }], 'finding user', ['find user']],
      [toOpening, 'opening', ['open page']],
      [toPage, 'page', ['ask for key']],
      [toImporting, 'importing', ['import']],
      [toDone, 'done', ['tell', 'end when read']],
      [[...toOpening, lost], 'failed', []],
      [[...toPage, lost], 'failed', []],
      [[...toImporting, lost], 'failed', []],
      [[...toImporting, lost, { type: 'retry' }], 'opening', ['open page']],
    ] satisfies readonly (readonly [readonly ImportEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unimported(true), ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a retry while the page is open', toPage, { type: 'retry' }],
    ['a retry while the wallet is imported', toImporting, { type: 'retry' }],
    ['a second yes', toImporting, { type: 'chosen', address: '0xother' }],
    ['a failure after the wallet was imported', toDone, lost],
  ] satisfies readonly (readonly [string, readonly ImportEvent[], ImportEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unimported(true), ...events)
      expect(importStep(state, event)).toEqual([state])
      expect(importStep(state, event)[0]).toBe(state)
    },
  )

  test.each([
    'embedded_wallet_already_exists',
    'embedded_wallet_recovery_already_exists',
    'disallowed_recovery_method',
    'invalid_data',
  ] as const)('ends with %s as it is', (code) => {
    expect(after(unimported(true), ...toImporting, failing(code)).effects).toMatchObject([
      { type: 'end', ending: { type: 'failed', error: { code } } },
    ])
  })

  test('ends with a failure where what keeps the wallet is used up, unless another key is what helps', () => {
    const usedUp = unimported(false)
    expect(after(usedUp, ...toImporting, lost).effects).toMatchObject([
      { type: 'end', ending: { type: 'failed', error: { code: 'unknown_embedded_wallet_error' } } },
    ])
    const taken = after(usedUp, ...toImporting, failing('linked_to_another_user'))
    expect(taken).toMatchObject({ phase: { at: 'failed', isTaken: true }, effects: [] })
  })

  test.each([
    ['a refusal before the key came', toPage, { error: { code: 'user_rejected_request' } }],
    [
      'the failure that its user leaves it at',
      [...toImporting, lost],
      { error: { code: 'unknown_embedded_wallet_error', details: { cause: 'server_unreachable' } } },
    ],
    [
      'a refusal where its user tries again',
      [...toImporting, lost, { type: 'retry' }],
      { error: { code: 'user_rejected_request' } },
    ],
    ['the wallet once it is imported', toDone, { type: 'done', value: account }],
  ] satisfies readonly (readonly [string, readonly ImportEvent[], object])[])(
    'tells who closes the card of %s',
    (_, events, ending) => {
      expect(endingOfClose(after(unimported(true), ...events).state)).toMatchObject(ending)
    },
  )
})
