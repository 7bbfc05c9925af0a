import { describe, expect, test } from 'vitest'
import type { ConnectedDapp } from '../../contract/dapps.ts'
import { playing } from '../../testing/machine.ts'
import type { ConnectedApp } from './connected-apps-screen.tsx'
import { type ListEvent, listStep, shownList, shownQuestion, unread } from './connected-apps-state.ts'

const after = playing(listStep)
const app = { id: 'a', name: 'Harbour' } as ConnectedApp
const dapp = { id: 'd', name: 'Tide Market' } as ConnectedDapp
const ofApp = { of: 'app', id: 'a' } as const
const ofDapp = { of: 'dapp', id: 'd' } as const

const toRead: readonly ListEvent[] = [{ type: 'begin' }, { type: 'read', apps: [app], dapps: [dapp] }]
const toAsked: readonly ListEvent[] = [...toRead, { type: 'choose', one: ofApp }]
const toEnding: readonly ListEvent[] = [...toAsked, { type: 'end' }]
const toEnded: readonly ListEvent[] = [...toEnding, { type: 'ended' }]

describe('the machine of the connected apps', () => {
  test.each([
    ['reads them', [{ type: 'begin' }], { status: 'reading' }, ['read']],
    ['shows them', toRead, { apps: [app], dapps: [dapp], change: undefined }, []],
    ['says that they can not be read', [{ type: 'begin' }, { type: 'not read' }], { status: 'failed' }, []],
    [
      'reads them again',
      [{ type: 'begin' }, { type: 'not read' }, { type: 'begin' }],
      { status: 'reading' },
      ['read'],
    ],
    ['asks before one is ended', toAsked, { apps: [app] }, ['ask']],
    ['ends it, and keeps it in the list until that is done', toEnding, { apps: [app] }, ['end']],
    [
      'takes it from the list, and says so there',
      toEnded,
      { apps: [], dapps: [dapp], change: { what: 'ended', name: 'Harbour' } },
      ['back'],
    ],
    [
      'takes a dapp from the list',
      [...toRead, { type: 'choose', one: ofDapp }, { type: 'end' }, { type: 'ended' }],
      { apps: [app], dapps: [], change: { what: 'ended', name: 'Tide Market' } },
      ['back'],
    ],
    ['connects another', [...toRead, { type: 'connect' }], { change: undefined }, ['connect']],
    [
      'says that it is connected',
      [...toRead, { type: 'connected', name: 'Reef', dapps: [] }],
      { dapps: [], change: { what: 'connected', name: 'Reef' } },
      [],
    ],
    [
      'forgets what was said of one when the dapps have changed since',
      [...toEnded, { type: 'dapps read', dapps: [] }],
      { dapps: [], change: undefined },
      [],
    ],
  ] satisfies readonly (readonly [string, readonly ListEvent[], object, readonly string[]])[])(
    '%s',
    (_, events, shown, effects) => {
      const played = after(unread, ...events)
      expect(shownList(played.state, true)).toMatchObject(shown)
      expect(played.effects.map(({ type }) => type)).toEqual(effects)
    },
  )

  test('asks of the one that was chosen last, where its user went back from the question before', () => {
    const { state } = after(unread, ...toAsked, { type: 'choose', one: ofDapp })
    expect(shownQuestion(state)).toEqual({ name: 'Tide Market', ending: 'asked' })
    expect(after(state, { type: 'end' }).effects).toEqual([{ type: 'end', one: ofDapp }])
  })

  test('says that one could not be ended, and ends it once more', () => {
    const { state } = after(unread, ...toEnding, { type: 'not ended' })
    expect(shownQuestion(state)).toEqual({ name: 'Harbour', ending: 'failed' })
    expect(after(state, { type: 'end' }).effects).toEqual([{ type: 'end', one: ofApp }])
  })

  test.each([
    ['a second press while one is ended', toEnding, { type: 'end' }],
    ['a press that ends none', toRead, { type: 'end' }],
    ['a choice of one that is not in the list', toRead, { type: 'choose', one: { of: 'app', id: 'd' } }],
    ['dapps that come before the list is read', [{ type: 'begin' }], { type: 'dapps read', dapps: [dapp] }],
  ] satisfies readonly (readonly [string, readonly ListEvent[], ListEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unread, ...events)
      expect(listStep(state, event)).toEqual([state])
      expect(listStep(state, event)[0]).toBe(state)
    },
  )
})
