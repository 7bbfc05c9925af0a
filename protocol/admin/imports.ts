/** Imports of users. An imported user has no account yet: the first login proves one, as for `createUser`. */
import * as v from 'valibot'
import { appId, id, text } from '../entities/primitives.ts'
import { limitInQuery, time } from './fields.ts'
import type { AdminRoutes } from './route.ts'

/** The source systems. `latchkey` reads the lines of `exportUsers`, `csv` a table with our columns. */
export const importSources = [
  'latchkey',
  'csv',
  'auth0',
  'clerk',
  'firebase',
  'supabase',
  'privy',
  'dynamic',
] as const
export type ImportSource = (typeof importSources)[number]

export const importStates = ['open', 'running', 'finished', 'cancelled', 'failed'] as const
export type ImportState = (typeof importStates)[number]

export const importResults = ['created', 'merged', 'conflict', 'skipped'] as const
export type ImportResult = (typeof importResults)[number]

/** Why a record created no user, each with a sentence for operators. */
export const importReasons = {
  malformed_json: 'The line is no JSON.',
  malformed_csv: 'A quote of the row is not closed, or a cell continues after its quote.',
  record_too_large: 'The record is longer than 64 kB.',
  invalid_record: 'A field has another type than in an export of this source.',
  invalid_external_id: 'The id is empty, longer than 200 characters, or has control characters.',
  invalid_metadata: 'A key of the metadata has other characters than letters, digits, `_` and `-`.',
  metadata_too_large: 'A part of the metadata is larger than 4 kB.',
  deleted_at_source: 'The source marks the user as deleted.',
  no_account: 'No verified address and no supported account is left, so nobody could log in.',
  app_full: 'The app has `max_users` users.',
  exists: 'The user exists already with all values.',
  duplicate: 'An earlier record of this import is about the same user.',
  several_users: 'The accounts of the record belong to several users.',
  other_external_id: 'The user exists with another external id.',
  account_taken: 'Another user got one of the accounts or the external id during the import.',
} as const
export type ImportReason = keyof typeof importReasons

/** Why an account of a record is left out, each with a sentence for operators. */
export const importOmissions = {
  unverified_email: 'The source did not verify the e-mail address.',
  unverified_phone: 'The source did not verify the phone number.',
  invalid_identifier: 'The address, number or id is malformed.',
  unsupported_account: 'Accounts of this kind do not exist here, or cannot be proven again.',
  passkey: 'A passkey works on the domain of its source only.',
  embedded_wallet: 'The key of the wallet stays at the source. The user imports it in the wallet.',
  too_many_accounts: 'A user can have ten accounts before the first login.',
} as const
export type ImportOmission = keyof typeof importOmissions

const count = v.number()

const importObject = v.object({
  id,
  appId: text,
  source: v.picklist(importSources),
  dryRun: v.boolean(),
  state: v.picklist(importStates),
  parts: count,
  /** Records of all parts, and how many of them have a result. */
  records: count,
  done: count,
  created: count,
  merged: count,
  conflicts: count,
  skipped: count,
  createdAt: time,
  startedAt: v.nullable(time),
  endedAt: v.nullable(time),
})
export type AdminImport = v.InferOutput<typeof importObject>

const reportRow = v.object({
  /** The position of this row, as `after` of another call. */
  cursor: text,
  part: v.number(),
  /** The line of the part on which the record begins. The first line is 1. */
  line: v.number(),
  result: v.picklist(importResults),
  /** Null for `created` and `merged`. */
  why: v.nullable(v.picklist(Object.keys(importReasons) as ImportReason[])),
  /** The user. Each user is in one row at most. Null if a dry run would create the user. */
  id: v.nullable(id),
  leftOut: v.array(v.picklist(Object.keys(importOmissions) as ImportOmission[])),
})
export type AdminImportRow = v.InferOutput<typeof reportRow>

const common = { scopes: ['import'], status: 200 } as const
const read = { ...common, effect: 'reads', method: 'GET' } as const
const change = { ...common, effect: 'changes' } as const

export const adminImportRoutes = {
  listImports: {
    ...read,
    path: '/imports',
    summary: 'lists the imports of an app, newest first. Finished ones are kept for 30 days',
    query: v.object({ app: appId, after: v.exactOptional(text), limit: v.exactOptional(limitInQuery) }),
    output: v.object({ data: v.array(importObject), next: v.nullable(text) }),
    errors: ['app_not_found'],
  },
  createImport: {
    ...change,
    method: 'POST',
    path: '/imports',
    status: 201,
    summary: 'creates an import of users. Upload its parts next. A dry run changes no user',
    body: v.object({ app: appId, source: v.picklist(importSources), dryRun: v.exactOptional(v.boolean()) }),
    output: importObject,
    errors: [
      'app_not_found',
      'too_many_imports',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  uploadImportPart: {
    ...change,
    method: 'PUT',
    path: '/imports/{import}/parts/{part}',
    upload: ['application/x-ndjson', 'text/csv'],
    summary:
      'uploads a part of the file, numbered from 1, as NDJSON or CSV, also with `Content-Encoding: gzip`. Replaces an earlier upload of this part',
    output: v.object({ part: v.number(), records: count, bytes: count }),
    errors: ['import_not_found', 'import_not_open', 'payload_too_large', 'unsupported_media_type'],
  },
  startImport: {
    ...change,
    method: 'POST',
    path: '/imports/{import}/start',
    status: 202,
    summary: 'starts an import, or continues a failed one. An import that runs or is finished stays as it is',
    output: importObject,
    errors: ['import_not_found', 'import_not_open', 'nothing_to_import', 'idempotency_key_reused'],
  },
  getImport: {
    ...read,
    path: '/imports/{import}',
    summary: 'returns an import with its progress',
    output: importObject,
    errors: ['import_not_found'],
  },
  readImportReport: {
    ...read,
    path: '/imports/{import}/report',
    stream: true,
    summary:
      'streams the result of each record, in the order of parts and lines. Continue with the last `cursor` as `after`',
    query: v.object({
      after: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,4}\.\d{1,10}$/))),
      /** Only the records with this result. */
      result: v.exactOptional(v.picklist(importResults)),
    }),
    output: reportRow,
    errors: ['import_not_found'],
  },
  cancelImport: {
    ...change,
    method: 'POST',
    path: '/imports/{import}/cancel',
    summary: 'ends an import and deletes its remaining records. Imported users stay',
    output: importObject,
    errors: ['import_not_found', 'import_not_open', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
