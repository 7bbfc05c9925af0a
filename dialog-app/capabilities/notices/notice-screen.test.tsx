import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NoticeScreen, type Step } from './notice-screen.tsx'

test.each<[Extract<Step, { at: 'ended' }>['outcome'], string, string]>([
  ['logged_out', 'done', 'You are logged out everywhere'],
  ['taken_back', 'done', 'It was undone'],
  ['last_way_in', 'stopped', 'There is no other way to log in'],
  ['address_of_another', 'stopped', 'This address is in use'],
])('a notice is marked as done only if the change was undone completely: %s', (outcome, mark, title) => {
  const notice = { kind: 'account', name: 'a@b.example', at: 0 } as const
  const screen = { resolve() {}, reject() {}, leave() {} }
  const shown = renderToStaticMarkup(
    <NoticeScreen notice={notice} step={{ at: 'ended', outcome }} screen={screen} />,
  )
  expect(/data-status="(\w+)"/.exec(shown)?.[1]).toBe(mark)
  expect(shown).toContain(`>${title}<`)
})
