import { expect, test } from 'vitest'
import { type Confirming, confirmingHandlers } from './confirmed.ts'
import type { Noticed } from './gate.ts'

const press: Noticed = { atMs: 1, what: 'press' }

function makeTry() {
  const heard: unknown[] = []
  const confirming: Confirming = {
    handlers: { notice: (noticed) => heard.push(noticed), openPage: () => heard.push('page') },
    shown: () => ({ by: 'page', isReady: true, reason: 'browser' }),
    outcome: new Promise(() => {}),
  }
  return { confirming, heard }
}

test('a screen is heard by the try that it shows now, and by none before and after it', () => {
  const [first, second] = [makeTry(), makeTry()]
  let present: Confirming | undefined
  const handlers = confirmingHandlers(() => present)
  const send = () => {
    handlers.notice(press)
    handlers.openPage()
    handlers.refuse()
  }
  send()
  present = first.confirming
  send()
  present = second.confirming
  send()
  present = undefined
  send()
  expect(first.heard).toEqual([press, 'page'])
  expect(second.heard).toEqual([press, 'page'])
})
