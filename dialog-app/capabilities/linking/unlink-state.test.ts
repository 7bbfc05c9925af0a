import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../testing/machine.ts'
import { endingOfClose, stillLinked, type UnlinkEvent, unlinkStep } from './unlink-state.ts'

const after = playing(unlinkStep)
const user = {} as UserRecord
const unlink: UnlinkEvent = { type: 'unlink' }
const sole = new LatchkeyError('cannot_unlink_sole_account', 'the last')
const refused: UnlinkEvent = { type: 'not unlinked', cause: sole }

describe('the machine of an unlinking', () => {
  test('asks the server once for each try, and ends with the user', () => {
    const begun = after(stillLinked, unlink)
    expect(begun).toMatchObject({ at: 'unlinking', effects: [{ type: 'unlink' }] })
    expect(unlinkStep(begun.state, unlink)).toEqual([begun.state])
    expect(after(begun.state, { type: 'unlinked', user }).effects).toEqual([
      { type: 'end', ending: { type: 'done', value: user } },
    ])
    expect(after(begun.state, refused, unlink).effects).toEqual([{ type: 'unlink' }])
  })

  test('closes with why the last try did not do it, also while the next is under way', () => {
    const closed = (...events: readonly UnlinkEvent[]) => endingOfClose(after(stillLinked, ...events).state)
    expect(closed(unlink)).toMatchObject({ error: { code: 'exited_link_flow' } })
    for (const events of [[], [unlink]]) {
      expect(closed(unlink, refused, ...events)).toMatchObject({
        error: { code: 'cannot_unlink_sole_account' },
      })
    }
  })
})
