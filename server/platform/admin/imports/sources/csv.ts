/** Our own table, for sources without a reader of their own. Columns are listed in docs/moving-users.md. */
import { socialProviders } from '@latchkey/protocol'
import * as v from 'valibot'
import {
  emailAccount,
  flag,
  json,
  maybe,
  optionalText,
  type ParseRecord,
  phoneAccount,
  RecordError,
  timeMs,
} from './source.ts'

/** Columns with the subject of a provider have the name of the account type. */
const subjectColumns = [
  ...socialProviders.map((provider) => `${provider}_oauth`),
  'custom_auth',
  'farcaster',
  'telegram',
  'wallet',
]

const entries = {
  id: v.string(),
  email: optionalText,
  email_verified: flag,
  phone: optionalText,
  phone_verified: flag,
  created_at: timeMs,
  blocked: flag,
  metadata_public: maybe(json(v.unknown())),
  metadata_private: maybe(json(v.unknown())),
}
const record = v.objectWithRest(entries, v.string())
const columns = new Set([...Object.keys(entries), ...subjectColumns])

export const parseCsvRecord: ParseRecord = (value) => {
  // A misspelled column would lose its values.
  if (Object.keys(Object(value)).some((name) => !columns.has(name))) throw new RecordError('invalid_record')
  const user = v.parse(record, value)
  const hasMetadata = user.metadata_public !== undefined || user.metadata_private !== undefined
  return {
    externalId: user.id,
    createdAtMs: user.created_at,
    block: user.blocked ? { reason: null } : undefined,
    accounts: [
      ...emailAccount(user.email, user.email_verified),
      ...phoneAccount(user.phone, user.phone_verified),
      ...subjectColumns.flatMap((type) => {
        const identifier = Reflect.get(user, type)
        return typeof identifier === 'string' && identifier !== '' ? { type, identifier } : []
      }),
    ],
    metadata: hasMetadata
      ? { public: user.metadata_public ?? undefined, private: user.metadata_private ?? undefined }
      : undefined,
  }
}
