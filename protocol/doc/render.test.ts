import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiRoutes } from '../api/index.ts'
import { hostContract } from '../host/calls.ts'
import { walletContract } from '../wallet/calls.ts'
import { hostCalls } from './host-calls.ts'

const written = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8')

it('shows fields of the API as they are on the wire, also inside others', () => {
  const rowOf = (path: string) => {
    const [, row = ''] = written.split(`#### POST \`/api/v1${path}\``)
    return row.split('####')[0]
  }
  const link = rowOf('/passkeys/link')
  expect(link).toContain('{ id, raw_id, response, authenticator_attachment, client_extension_results, type }')
  expect(link).toContain('`mfa_methods` list of { type, verified_at }')
  expect(rowOf('/sessions')).toContain(
    '`user` { id, created_at, linked_accounts, mfa_methods, has_accepted_terms } or null',
  )
  expect(rowOf('/passkeys/window/answer/take')).toContain('`assertion` { id, raw_id,')
  expect(rowOf('/analytics_events')).toContain('`payload` { clientTimestamp }')
})

it('names every message of every boundary', () => {
  for (const contract of [hostContract, walletContract]) {
    for (const name of [...Object.keys(contract.parent), ...Object.keys(contract.child)]) {
      expect(written).toContain(`#### \`latchkey:${name}\``)
    }
  }
  for (const { calls } of hostCalls) {
    for (const name of Object.keys(calls)) expect(written).toContain(`#### \`${name}\``)
  }
  for (const route of Object.values(apiRoutes))
    expect(written).toContain(`${route.method} \`/api/v1${route.path}\``)
})
