import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NoticeScreen, type Step } from './notice-screen.tsx'

test.each<[Extract<Step, { at: 'ended' }>['outcome'], string, string]>([
  ['logged_out', 'done', 'You are logged out everywhere'],
  ['taken_back', 'done', 'It was undone'],
  ['last_way_in', 'stopped', 'There is no other way to log in'],
  ['address_of_another', 'stopped', 'This address is in use'],
])('what came of it is marked as done only where all of it was undone: %s', (outcome, mark, title) => {
  const state = { kind: 'account', name: 'a@b.example', atMs: 0, step: { at: 'ended', outcome } } as const
  const shown = renderToStaticMarkup(<NoticeScreen state={state} send={() => {}} />)
  expect(/data-status="(\w+)"/.exec(shown)?.[1]).toBe(mark)
  expect(shown).toContain(`>${title}<`)
})
