import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import type { CodeKey } from './code-key.ts'

/** An outstanding code. At most one exists per purpose, identifier and browser. */
type CodeTable = {
  app_id: string
  /** The purpose, for which alone the code is valid. */
  purpose: string
  identifier: string
  /** The hash of the login-binding header, or empty for clients without one. */
  binding: string
  code_hash: string
  expires_at: number
  sent_at: number
}

/** Browsers that had a session of an identifier, and therefore have their own quotas. */
type KnownBrowserTable = { app_id: string; identifier: string; binding: string; last_seen_at: number }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    codes: CodeTable
    known_browsers: KnownBrowserTable
  }
}

type NewCode = Pick<Row<'codes'>, 'code_hash' | 'expires_at' | 'sent_at'>

type KeyValues = {
  app_id: string
  purpose: string
  identifier: string
  binding: string
}
const toValues = ({ appId, purpose, identifier, binding }: CodeKey): KeyValues => ({
  app_id: appId,
  purpose: purpose.name,
  identifier,
  binding,
})

const upsertCode = compileQuery((db, value: Placeholder<KeyValues & NewCode>) => {
  const code = {
    code_hash: value('code_hash'),
    expires_at: value('expires_at'),
    sent_at: value('sent_at'),
  }
  return db
    .insertInto('codes')
    .values({
      app_id: value('app_id'),
      purpose: value('purpose'),
      identifier: value('identifier'),
      binding: value('binding'),
      ...code,
    })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'purpose', 'identifier', 'binding']).doUpdateSet(code),
    )
})
/** Stores a code, replacing the previous one. */
export async function putCode(trx: Trx, key: CodeKey, code: NewCode): Promise<void> {
  await upsertCode(trx, { ...toValues(key), ...code })
}

const updateCode = compileQuery((db, value: Placeholder<KeyValues & { guess: string; now: number }>) =>
  db
    .updateTable('codes')
    .set((code) => ({
      expires_at: code
        .case()
        .when('code_hash', '=', value('guess'))
        .then(0)
        .else(code.ref('expires_at'))
        .end(),
    }))
    .where('app_id', '=', value('app_id'))
    .where('purpose', '=', value('purpose'))
    .where('identifier', '=', value('identifier'))
    .where('binding', '=', value('binding'))
    .where('expires_at', '>', value('now'))
    .returning(['expires_at', 'code_hash']),
)
/** `kept` is the stored hash that did not match. */
export type ConsumeResult = { type: 'right' | 'none' } | { type: 'wrong'; storedHash: string }
/**
 * Consumes the outstanding code if the hash matches. Locks the row until the transaction ends, so that guesses are
 * serialized.
 */
export async function consumeCode(
  trx: Trx,
  key: CodeKey,
  guess: string,
  nowSeconds: number,
): Promise<ConsumeResult> {
  const [code] = await updateCode(trx, { ...toValues(key), guess, now: nowSeconds })
  if (!code) return { type: 'none' }
  return code.expires_at === 0 ? { type: 'right' } : { type: 'wrong', storedHash: code.code_hash }
}

type BrowserValues = Omit<KeyValues, 'purpose'>

const findKnownBrowser = compileQuery((db, value: Placeholder<BrowserValues>) =>
  db
    .selectFrom('known_browsers')
    .select('last_seen_at')
    .where('app_id', '=', value('app_id'))
    .where('identifier', '=', value('identifier'))
    .where('binding', '=', value('binding')),
)
export async function isKnownBrowser(reader: Reader, key: CodeKey): Promise<boolean> {
  const [browser] = await findKnownBrowser(reader, toValues(key))
  return browser !== undefined
}

const upsertKnownBrowser = compileQuery((db, value: Placeholder<BrowserValues & { now: number }>) =>
  db
    .insertInto('known_browsers')
    .values({
      app_id: value('app_id'),
      identifier: value('identifier'),
      binding: value('binding'),
      last_seen_at: value('now'),
    })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'identifier', 'binding']).doUpdateSet({ last_seen_at: value('now') }),
    ),
)
export async function putKnownBrowser(trx: Trx, key: CodeKey, nowSeconds: number): Promise<void> {
  await upsertKnownBrowser(trx, { ...toValues(key), now: nowSeconds })
}

const hold = compileQuery((db, value: Placeholder<KeyValues & { now: number }>) =>
  db
    .updateTable('codes')
    .set((code) => ({ expires_at: code.ref('expires_at') }))
    .where('app_id', '=', value('app_id'))
    .where('purpose', '=', value('purpose'))
    .where('identifier', '=', value('identifier'))
    .where('binding', '=', value('binding'))
    .where('expires_at', '>', value('now'))
    .returning('code_hash'),
)
/** Returns the stored value of the outstanding code, and locks its row until the transaction ends. */
export async function lockCode(trx: Trx, key: CodeKey, nowSeconds: number): Promise<string | undefined> {
  const [code] = await hold(trx, { ...toValues(key), now: nowSeconds })
  return code?.code_hash
}

const remove = compileQuery((db, value: Placeholder<KeyValues & { code_hash: string }>) =>
  db
    .deleteFrom('codes')
    .where('app_id', '=', value('app_id'))
    .where('purpose', '=', value('purpose'))
    .where('identifier', '=', value('identifier'))
    .where('binding', '=', value('binding'))
    .where('code_hash', '=', value('code_hash')),
)
/** Removes a code. The hash is part of the condition, so that a newer code is not removed. */
export async function removeCode(trx: Trx, key: CodeKey, codeHash: string): Promise<void> {
  await remove(trx, { ...toValues(key), code_hash: codeHash })
}
