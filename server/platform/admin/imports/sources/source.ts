/** The form into which each source parses one record, and schemas that several sources share. */
import type { ImportOmission, ImportReason } from '@latchkey/protocol/admin'
import * as v from 'valibot'

/** An account of a record as its source has it. Only verified addresses are imported. */
export type SourceAccount = { type: string; identifier: string } | { omission: ImportOmission }

export type SourceUser = {
  /** The id at the source, which becomes the external id. */
  externalId: string | undefined
  createdAtMs?: number | undefined
  block?: { reason: string | null } | undefined
  accounts: SourceAccount[]
  metadata?: { public?: unknown; private?: unknown } | undefined
}

/** Throws `RecordError` or a `ValiError` for a record of another form. */
export type ParseRecord = (value: unknown, nowMs: number) => SourceUser

/** A record that is no user, for a reason that the report names. */
export class RecordError extends Error {
  override name = 'RecordError'
  reason: ImportReason

  constructor(reason: ImportReason) {
    super(reason)
    this.reason = reason
  }
}

/** A text or a number, such as a subject at a provider. */
export const subject = v.union([
  v.string(),
  v.pipe(
    v.number(),
    v.safeInteger(),
    v.transform((number) => String(number)),
  ),
])

/** `true` as JSON or as the cell of a table. */
export const flag = v.pipe(
  v.nullish(v.union([v.boolean(), v.string()]), false),
  v.transform((value) => value === true || (typeof value === 'string' && /^(true|t|1|yes)$/i.test(value))),
)

/** JSON, also as the text of a cell. */
export const json = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.union([v.pipe(v.string(), v.parseJson(), schema), schema])

export const maybe = <const Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema)
export const optionalText = v.nullish(v.string())

/** A time as ISO 8601, or milliseconds since 1970. Other texts count as unknown. */
export const timeMs = v.pipe(
  v.nullish(v.union([v.string(), v.number()])),
  v.transform((value) => {
    if (value === null || value === undefined || value === '') return undefined
    const ms = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value)
    return Number.isFinite(ms) ? ms : undefined
  }),
)

/** Returns the address as an account if the source verified it. */
export const emailAccount = (address: string | null | undefined, isVerified: boolean): SourceAccount[] => {
  if (!address) return []
  return [isVerified ? { type: 'email', identifier: address } : { omission: 'unverified_email' }]
}

/** Returns the number as an account if the source verified it. */
export const phoneAccount = (number: string | null | undefined, isVerified: boolean): SourceAccount[] => {
  if (!number) return []
  return [isVerified ? { type: 'phone', identifier: number } : { omission: 'unverified_phone' }]
}

/** Returns the account of a provider by the name that the source has for it. */
export const providerAccount = (
  types: Readonly<Record<string, string>>,
  provider: string,
  identifier: string | null | undefined,
): SourceAccount => {
  const type = Object.hasOwn(types, provider) ? types[provider] : undefined
  return type === undefined || !identifier ? { omission: 'unsupported_account' } : { type, identifier }
}

/** Returns the values that are set, or undefined without any. */
export function collectMetadata(values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && Object.keys(Object(value)).length > 0,
  )
  return entries.length === 0 ? undefined : { private: Object.fromEntries(entries) }
}
