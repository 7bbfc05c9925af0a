import type { AdminProposal } from '@latchkey/protocol/admin'
import { expect, test } from 'vitest'
import { approvalSentences, listChanges } from './approval-rules.ts'
import { parseObject } from './json.ts'
import { toSeries } from './stats-series.ts'

test.each([
  ['{"plan":"pro"}', { plan: 'pro' }],
  ['[]', undefined],
  ['null', undefined],
  ['{"plan"', undefined],
])('parses %s as an object or refuses it', (text, value) => {
  expect(parseObject(text)).toEqual(value)
})

test('sums counts by day, with 0 for days without events', () => {
  const day = (date: number) => `2026-11-${date}T00:00:00.000Z`
  const data = [
    { by: 'sms', at: day(27), count: 2 },
    { by: 'email', at: day(28), count: 5 },
  ]
  const { times, series } = toSeries({ from: day(26), to: day(29) }, data)
  expect(times).toEqual([26, 27, 28].map((date) => Date.parse(day(date)) / 1_000))
  expect(series).toEqual([
    { label: 'email', values: [0, 0, 5] },
    { label: 'sms', values: [0, 2, 0] },
  ])
})

test('describes approvals without a screen only if they can happen', () => {
  const silent = { no_prompt: { messages: true, calls: [{}], typed_data: [] } }
  const sentence = (settings: object) =>
    approvalSentences({ ...settings }).find(([name]) => name === 'Without a screen')?.[1]
  expect(sentence(silent)).toBe('If the host page asks for it: plain messages, 1 contract call.')
  expect(sentence({ ...silent, enforce_wallet_uis: true })).toBe('Nothing is signed without a screen.')
  expect(sentence({})).toBe('Nothing is signed without a screen.')
})

test('lists the changes of a proposal with the current values, also of a part of a setting', () => {
  const requester = {
    clientId: 'notes',
    name: 'Notes',
    origin: 'https://notes.example',
    redirectAddresses: [],
  }
  const proposal = {
    settings: { 'no_prompt.messages': true, sms_auth: true },
    requester,
    replaces: { settings: { no_prompt: { messages: false }, sms_auth: null }, requester: null },
  } as unknown as AdminProposal
  expect(listChanges(proposal)).toEqual([
    { name: 'no_prompt.messages', before: false, after: true },
    { name: 'sms_auth', before: null, after: true },
    { name: 'requesters', before: null, after: requester },
  ])
})
