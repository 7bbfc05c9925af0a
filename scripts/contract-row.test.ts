import { expect, test } from 'vitest'
import { withRow } from './contract-row.mjs'

const row = { name: 'linkEmail', answer: '{ address: v.string() }' }
const calls = [
  '/x/protocol/host/calls.ts',
  'export const contract = { child: { login: needsUser } }',
] as const
const heard = [
  '/x/protocol/host/heard-by-loader.ts',
  'export const heard = { answers: { login: user } }',
] as const

test('a row is written where calls stand and where their answers are heard', () => {
  const { plugin, refuseIfMissing } = withRow(row)
  expect(plugin.transform(calls[1], calls[0])?.code).toContain(
    `child: { linkEmail: { policy: 'needs-user' }, login: needsUser }`,
  )
  expect(plugin.transform(heard[1], heard[0])?.code).toContain(
    'answers: { linkEmail: v.object({ address: v.string() }), login: user }',
  )
  expect(refuseIfMissing).not.toThrow()
})

test('a contract that lies elsewhere is an error, and not a row that costs nothing', () => {
  const { plugin, refuseIfMissing } = withRow(row)
  plugin.transform(calls[1], calls[0])
  expect(plugin.transform(heard[1], '/x/protocol/host/moved.ts')).toBeUndefined()
  expect(refuseIfMissing).toThrow('protocol/host/heard-by-loader.ts')
})
