/** Reads the sample file of each source, which has the form of its documentation and people who do not exist. */
import { createReadStream } from 'node:fs'
import type { ImportSource } from '@latchkey/protocol/admin'
import { describe, expect, test } from 'vitest'
import { readRecords } from '../records.ts'
import { parseRecord, sources } from './parse.ts'

const nowMs = Date.parse('2026-01-01T00:00:00Z')
const samples = new URL('../testing/samples/', import.meta.url)

async function readSample(file: string) {
  const source = file.slice(0, file.indexOf('.')) as ImportSource
  const mediaType = file.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson'
  const chunks = createReadStream(new URL(file, samples))
  const parsed = []
  for await (const record of readRecords({ mediaType, chunks }, sources[source].csvColumns)) {
    if ('fault' in record) throw new Error(`${file}:${record.line}: ${record.fault}`)
    parsed.push(parseRecord(source, record.value, nowMs))
  }
  return parsed
}

const email = (identifier: string) => ({ type: 'email', identifier })
const phone = (end: string) => ({ type: 'phone', identifier: `+1 41555501${end}` })
const google = { type: 'google_oauth', identifier: '103547991597142817347' }
const wallet = (digit: string) => ({ type: 'wallet', identifier: `0x${digit.repeat(40)}` })
const plan = { plan: 'pro' }
const created = Date.parse('2024-05-06T07:08:09Z') / 1_000
const user = (values: object) => ({
  user: { createdAt: created, block: undefined, metadata: {}, leftOut: [], ...values },
})

const expected: Readonly<Record<string, object[]>> = {
  'latchkey.ndjson': [
    user({
      externalId: 'customer-42',
      accounts: [email('ada@example.com'), google],
      metadata: { public: plan, private: {} },
      leftOut: ['passkey', 'embedded_wallet'],
    }),
    user({
      externalId: 'usr_2',
      createdAt: created + 1,
      block: { reason: 'spam' },
      accounts: [phone('01')],
      metadata: { public: {}, private: {} },
    }),
  ],
  'csv.csv': [
    user({
      externalId: 'customer-1',
      accounts: [email('ada@example.com'), google, wallet('1')],
      metadata: { public: plan },
      leftOut: ['unverified_phone'],
    }),
    user({
      externalId: 'customer-2',
      createdAt: undefined,
      block: { reason: null },
      accounts: [phone('02')],
      metadata: { private: { note: 'pays by invoice' } },
      leftOut: ['unverified_email'],
    }),
  ],
  'auth0.ndjson': [
    user({
      externalId: 'google-oauth2|103547991597142817347',
      accounts: [email('ada@example.com'), google, { type: 'github_oauth', identifier: '583231' }],
      metadata: { private: { app_metadata: plan } },
    }),
    user({
      externalId: 'auth0|65f1',
      createdAt: Date.parse('2024-01-02T03:04:05Z') / 1_000,
      block: { reason: null },
      accounts: [phone('01')],
      leftOut: ['unverified_email', 'unsupported_account'],
    }),
  ],
  'auth0.csv': [
    user({
      externalId: 'apple|000123.0a1b2c3d.0456',
      accounts: [email('eve@example.com'), { type: 'apple_oauth', identifier: '000123.0a1b2c3d.0456' }],
    }),
    user({
      externalId: 'sms|65f2',
      createdAt: Date.parse('2024-05-07T00:00:00Z') / 1_000,
      accounts: [phone('02')],
    }),
  ],
  'clerk.ndjson': [
    user({
      externalId: 'user_2fA',
      accounts: [email('ada@example.com'), phone('01'), google, wallet('1')],
      metadata: { private: { public_metadata: plan, unsafe_metadata: { theme: 'dark' } } },
      leftOut: ['unverified_email'],
    }),
    user({
      externalId: 'user_2fB',
      createdAt: created + 1,
      block: { reason: null },
      accounts: [{ type: 'twitter_oauth', identifier: '44196397' }],
      leftOut: ['unsupported_account'],
    }),
  ],
  'clerk.csv': [
    user({
      externalId: 'user_2fC',
      createdAt: undefined,
      accounts: [email('eve@example.com'), email('eve@work.example'), phone('02')],
      leftOut: ['unverified_email'],
    }),
  ],
  'firebase.ndjson': [
    user({
      externalId: 'p8Z1',
      accounts: [email('ada@example.com'), google],
      metadata: { private: { custom_attributes: plan } },
    }),
    user({
      externalId: 'p8Z2',
      createdAt: created + 1,
      block: { reason: null },
      accounts: [phone('01')],
      leftOut: ['unsupported_account'],
    }),
  ],
  'firebase.csv': [
    user({
      externalId: 'p8Z3',
      accounts: [
        email('eve@example.com'),
        phone('02'),
        { type: 'twitter_oauth', identifier: '44196397' },
        { type: 'github_oauth', identifier: '583231' },
        { type: 'apple_oauth', identifier: '000123.0a1b2c3d.0456' },
      ],
      metadata: { private: { custom_attributes: plan } },
    }),
  ],
  'supabase.ndjson': [
    user({
      externalId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      accounts: [email('ada@example.com'), google],
      metadata: {
        private: {
          app_meta_data: { provider: 'google', providers: ['google', 'email'] },
          user_meta_data: { name: 'Ada Sample' },
        },
      },
      leftOut: ['unverified_phone'],
    }),
    user({
      externalId: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
      createdAt: created + 1,
      block: { reason: null },
      accounts: [phone('02')],
      leftOut: ['unsupported_account'],
    }),
    { reason: 'deleted_at_source' },
    { reason: 'no_account', leftOut: [] },
  ],
  'supabase.csv': [
    user({
      externalId: '7c9e6679-7425-40de-944b-e07fc1f90aeb',
      accounts: [email('eve@example.com'), { type: 'github_oauth', identifier: '583231' }],
      metadata: { private: { app_meta_data: plan } },
    }),
  ],
  'privy.ndjson': [
    user({
      externalId: 'did:privy:cm3np4u9j001rc8b73seqmqqk',
      accounts: [email('ada@example.com'), google, wallet('3'), { type: 'farcaster', identifier: '4423' }],
      metadata: { private: { custom_metadata: plan } },
      leftOut: ['embedded_wallet', 'passkey'],
    }),
    user({
      externalId: 'did:privy:cm3np4u9j001rc8b73seqmqql',
      createdAt: created + 1,
      accounts: [phone('01')],
      leftOut: ['unverified_email', 'unsupported_account'],
    }),
  ],
  'dynamic.ndjson': [
    user({
      externalId: '95b11417-f18f-457f-8804-68e361f9164f',
      accounts: [email('ada@example.com'), phone('01'), google, wallet('1')],
      metadata: { private: { metadata: plan } },
      leftOut: ['embedded_wallet'],
    }),
    user({
      externalId: '95b11417-f18f-457f-8804-68e361f91650',
      createdAt: created + 1,
      accounts: [{ type: 'discord_oauth', identifier: '80351110224678912' }],
      leftOut: ['unsupported_account'],
    }),
  ],
}

test.each(Object.entries(expected))('%s is parsed into users', async (file, parsed) => {
  expect(await readSample(file)).toEqual(parsed)
})

describe('a record', () => {
  const record = (values: object) => ({
    id: 'c1',
    email: 'ada@example.com',
    email_verified: 'true',
    ...values,
  })

  test.each([
    ['a misspelled column', record({ e_mail: 'x' }), 'invalid_record'],
    ['an id with a line break', record({ id: 'a\nb' }), 'invalid_external_id'],
    ['metadata that is no JSON', record({ metadata_public: '{' }), 'invalid_metadata'],
    ['metadata that is a list', record({ metadata_public: '[1]' }), 'invalid_metadata'],
    ['a key of metadata with a space', record({ metadata_public: '{"a b":1}' }), 'invalid_metadata'],
    ['too much metadata', record({ metadata_private: `{"a":"${'x'.repeat(4_096)}"}` }), 'metadata_too_large'],
  ])('with %s is no user', (_, value, reason) => {
    expect(parseRecord('csv', value, nowMs)).toEqual({ reason })
  })

  test.each([
    [{ email: 'no address' }, 'invalid_identifier'],
    [{ email_verified: 'false' }, 'unverified_email'],
    [{ email_verified: undefined }, 'unverified_email'],
    [{ email: '', phone: '+14155550101', phone_verified: 'no' }, 'unverified_phone'],
    [{ email: '', phone: '4155550101', phone_verified: 'yes' }, 'invalid_identifier'],
  ])('with %j has no account', (values, omission) => {
    expect(parseRecord('csv', record(values), nowMs)).toEqual({ reason: 'no_account', leftOut: [omission] })
  })

  test('has ten accounts at most, and a creation time that is not in the future', () => {
    const ids = Array.from({ length: 12 }, (_, index) => ({ provider: 'github', user_id: index + 1 }))
    const value = { user_id: 'auth0|1', created_at: '2999-01-01T00:00:00Z', identities: ids }
    const parsed = parseRecord('auth0', value, nowMs)
    if (!('user' in parsed)) throw new Error(parsed.reason)
    expect(parsed.user.accounts).toHaveLength(10)
    expect(parsed.user.leftOut).toEqual(['too_many_accounts'])
    expect(parsed.user.createdAt).toBe(nowMs / 1_000)
  })
})
