import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { StartedMethod } from '../../contract/login.ts'
import { playing } from '../../testing/machine.ts'
import { endingOfClose, type LinkEvent, linkStep, unlinked } from './link-state.ts'

const after = playing(linkStep)
const started = {} as StartedMethod
const user = {} as UserRecord
const taken = new LatchkeyError('linked_to_another_user', 'taken')
const refused: LinkEvent = { type: 'refused', cause: taken }
const toProving: readonly LinkEvent[] = [{ type: 'begin' }, { type: 'started', started }]
const toLinked: readonly LinkEvent[] = [...toProving, { type: 'chosen' }, { type: 'linked', user }]

describe('the machine of a link', () => {
  test('shows the entry of a method, what refuses its account, and the end once one is linked', () => {
    const ways = [
      [toProving.slice(0, 1), 'starting', ['start']],
      [[...toProving.slice(0, 1), refused], 'starting', ['show refusal']],
      [toProving, 'proving', ['show entry', 'resume']],
      [[...toProving, refused], 'proving', ['show refusal']],
      [toLinked, 'linked', ['settle', 'hold']],
      [[...toProving, refused, ...toLinked.slice(2)], 'linked', ['settle', 'hold']],
    ] satisfies readonly (readonly [readonly LinkEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unlinked, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a refusal', refused],
    ['a problem', { type: 'failed', problem: taken }],
    ['a second link', { type: 'linked', user }],
  ] satisfies readonly (readonly [string, LinkEvent])[])(
    'is not changed by %s after it linked',
    (_, event) => {
      const { state } = after(unlinked, ...toLinked)
      expect(linkStep(state, event)).toEqual([state])
      expect(linkStep(state, event)[0]).toBe(state)
    },
  )

  test('closes with the last problem, until its user chooses anew', () => {
    const closed = (...events: readonly LinkEvent[]) =>
      endingOfClose(after(unlinked, ...toProving, ...events).state)
    expect(closed()).toMatchObject({ error: { code: 'exited_link_flow' } })
    expect(closed(refused)).toEqual({ type: 'failed', error: taken })
    expect(closed({ type: 'failed', problem: taken })).toEqual({ type: 'failed', error: taken })
    expect(closed(refused, { type: 'chosen' })).toMatchObject({ error: { code: 'exited_link_flow' } })
    expect(closed({ type: 'refused', cause: new Error('odd') })).toMatchObject({
      error: { code: 'failed_to_link_account' },
    })
  })
})
