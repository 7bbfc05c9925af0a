import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import type { ActivityRow } from './activity-screen.tsx'
import { type ReadingEvent, readingStep, shownActivity, unread } from './activity-state.ts'

const after = playing(readingStep)
const row = (id: string) => ({ id }) as ActivityRow
const begin: ReadingEvent = { type: 'begin' }
const first: ReadingEvent = { type: 'page', rows: [row('a')], next: 'n1' }
const last: ReadingEvent = { type: 'page', rows: [row('b')], next: null }
const older: ReadingEvent = { type: 'older' }
const notRead: ReadingEvent = { type: 'not read' }

describe('the machine of the activity', () => {
  test.each([
    ['reads the first page', [begin], { status: 'reading' }, [{ type: 'read', before: undefined }]],
    ['shows it, and that there are older ones', [begin, first], { rows: [row('a')], older: 'there' }, []],
    ['reads the older ones', [begin, first, older], { older: 'reading' }, [{ type: 'read', before: 'n1' }]],
    ['adds them', [begin, first, older, last], { rows: [row('a'), row('b')], older: 'none' }, []],
    [
      'keeps what it has where they cannot be read',
      [begin, first, older, notRead],
      { rows: [row('a')], older: 'failed' },
      [],
    ],
    [
      'tries those again',
      [begin, first, older, notRead, older],
      { older: 'reading' },
      [{ type: 'read', before: 'n1' }],
    ],
    ['says that nothing can be read', [begin, notRead], { status: 'failed' }, []],
    ['begins again', [begin, notRead, begin], { status: 'reading' }, [{ type: 'read', before: undefined }]],
  ] satisfies readonly (readonly [string, readonly ReadingEvent[], object, readonly object[]])[])(
    '%s',
    (_, events, shown, effects) => {
      const played = after(unread, ...events)
      expect(shownActivity(played.state)).toMatchObject(shown)
      expect(played.effects).toEqual(effects)
    },
  )

  test.each([
    ['a second press while older ones are read', [begin, first, older], older],
    ['older ones after the last', [begin, last], older],
    ['older ones before the first page', [begin], older],
    ['a failure after a page came', [begin, first], notRead],
    ['a page that nobody asked for', [begin, last], first],
  ] satisfies readonly (readonly [string, readonly ReadingEvent[], ReadingEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(unread, ...events)
      expect(after(state, event)).toMatchObject({ state, effects: [] })
      expect(after(state, event).state).toBe(state)
    },
  )
})
