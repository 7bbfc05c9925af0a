/** Parses a record of any source into a user. Accounts are normalized as by logins. */
import {
  type AdminMetadata,
  adminLimits,
  adminUserRoutes,
  type ImportOmission,
  type ImportReason,
  type ImportSource,
} from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { AppRefusal, normalizeIdentifier } from '../../../../identity/apps/apps.ts'
import { parseAuth0 } from './auth0.ts'
import { parseClerk } from './clerk.ts'
import { parseCsvRecord } from './csv.ts'
import { parseDynamic } from './dynamic.ts'
import { firebaseColumns, parseFirebase } from './firebase.ts'
import { parseLatchkey } from './latchkey.ts'
import { parsePrivy } from './privy.ts'
import { type ParseRecord, RecordError, type SourceAccount } from './source.ts'
import { parseSupabase } from './supabase.ts'

type Source = {
  parse: ParseRecord
  /** The columns of a CSV file without a header. */
  csvColumns?: Readonly<string[]>
}

export const sources: Readonly<Record<ImportSource, Source>> = {
  latchkey: { parse: parseLatchkey },
  csv: { parse: parseCsvRecord },
  auth0: { parse: parseAuth0 },
  clerk: { parse: parseClerk },
  firebase: { parse: parseFirebase, csvColumns: firebaseColumns },
  supabase: { parse: parseSupabase },
  privy: { parse: parsePrivy },
  dynamic: { parse: parseDynamic },
}

type Account = { type: string; identifier: string }

/** A user to import. Each account must still be proven by a login. */
export type ImportedUser = {
  externalId: string
  /** Seconds since 1970, or undefined if the source does not know it. */
  createdAt: number | undefined
  block: { reason: string | null } | undefined
  accounts: Account[]
  metadata: Partial<AdminMetadata>
  leftOut: ImportOmission[]
}
export type ParsedRecord = { user: ImportedUser } | { reason: ImportReason; leftOut?: ImportOmission[] }

const { externalId: externalIdSchema, metadata: metadataSchema } = adminUserRoutes.createUser.body.entries

export function parseRecord(source: ImportSource, value: unknown, nowMs: number): ParsedRecord {
  try {
    const parsed = sources[source].parse(value, nowMs)
    const { accounts, leftOut } = selectAccounts(parsed.accounts)
    if (!v.is(externalIdSchema, parsed.externalId) || parsed.externalId === undefined) {
      return { reason: 'invalid_external_id' }
    }
    if (accounts.length === 0) return { reason: 'no_account', leftOut }
    return {
      user: {
        externalId: parsed.externalId,
        createdAt: parseTime(parsed.createdAtMs, nowMs),
        block: parsed.block && {
          reason: parsed.block.reason?.trim().slice(0, adminLimits.maxReasonLength) || null,
        },
        accounts,
        metadata: parseMetadata(parsed.metadata ?? {}),
        leftOut,
      },
    }
  } catch (error) {
    if (error instanceof RecordError) return { reason: error.reason }
    if (v.isValiError(error)) return { reason: 'invalid_record' }
    throw error
  }
}

function selectAccounts(all: SourceAccount[]): { accounts: Account[]; leftOut: ImportOmission[] } {
  const accounts = new Map<string, Account>()
  const leftOut = new Set<ImportOmission>()
  for (const each of all) {
    const account = 'omission' in each ? each.omission : normalizeAccount(each)
    if (typeof account === 'string') leftOut.add(account)
    else if (accounts.size < adminLimits.mostExpectedAccounts) {
      accounts.set(`${account.type}:${account.identifier}`, account)
    } else leftOut.add('too_many_accounts')
  }
  return { accounts: [...accounts.values()], leftOut: [...leftOut] }
}

const importableTypes: ReadonlySet<string> = new Set(
  adminUserRoutes.createUser.body.entries.accounts.pipe[0].item.entries.type.options,
)

function normalizeAccount({ type, identifier }: Account): Account | ImportOmission {
  if (!importableTypes.has(type)) return 'unsupported_account'
  try {
    return { type, identifier: normalizeIdentifier(type, identifier) }
  } catch (error) {
    if (error instanceof AppRefusal) return 'invalid_identifier'
    throw error
  }
}

/** Returns seconds, never in the future. */
const parseTime = (ms: number | undefined, nowMs: number) =>
  ms === undefined || ms < 0 ? undefined : Math.floor(Math.min(ms, nowMs) / 1_000)

function parseMetadata(metadata: { public?: unknown; private?: unknown }): Partial<AdminMetadata> {
  const parts = Object.entries(metadata).filter(([, part]) => part !== undefined)
  for (const [, part] of parts) {
    const size = Buffer.byteLength(JSON.stringify(part))
    if (size > adminLimits.maxMetadataBytes) throw new RecordError('metadata_too_large')
  }
  const parsed = v.safeParse(metadataSchema, Object.fromEntries(parts))
  if (!parsed.success) throw new RecordError('invalid_metadata')
  return parsed.output ?? {}
}
