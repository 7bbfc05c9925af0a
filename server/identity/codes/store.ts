import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import type { CodeKey } from './code-key.ts'

/** One outstanding code a purpose, identifier and browser. */
type CodeTable = {
  app_id: string
  /** What it opens: a code for one thing is nothing to another. */
  purpose: string
  /** Where it was sent. */
  identifier: string
  /** Hash of the login-binding header; empty for a client that sends none. */
  binding: string
  code_hash: string
  expires_at: number
  sent_at: number
}

/** Browsers that had a session of this identifier: they have a budget of their own. */
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
const valuesOf = ({ appId, purpose, identifier, binding }: CodeKey): KeyValues => ({
  app_id: appId,
  purpose: purpose.name,
  identifier,
  binding,
})

const put = compileQuery((db, value: Placeholder<KeyValues & NewCode>) => {
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
/** A new code takes the place of the one before. */
export async function putCode(trx: Trx, key: CodeKey, code: NewCode): Promise<void> {
  await put(trx, { ...valuesOf(key), ...code })
}

const take = compileQuery((db, value: Placeholder<KeyValues & { guess: string; now: number }>) =>
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
/** `kept`: the hash that the guess is not. */
export type Taken = { type: 'right' | 'none' } | { type: 'wrong'; kept: string }
/**
 * Uses up the outstanding code if this is its hash, and holds its row in any case until the transaction ends, so that
 * guesses at one code come one after the other.
 */
export async function takeCode(trx: Trx, key: CodeKey, guess: string, nowSeconds: number): Promise<Taken> {
  const [code] = await take(trx, { ...valuesOf(key), guess, now: nowSeconds })
  if (!code) return { type: 'none' }
  return code.expires_at === 0 ? { type: 'right' } : { type: 'wrong', kept: code.code_hash }
}

type BrowserValues = Omit<KeyValues, 'purpose'>

const known = compileQuery((db, value: Placeholder<BrowserValues>) =>
  db
    .selectFrom('known_browsers')
    .select('last_seen_at')
    .where('app_id', '=', value('app_id'))
    .where('identifier', '=', value('identifier'))
    .where('binding', '=', value('binding')),
)
export async function isKnownBrowser(reader: Reader, key: CodeKey): Promise<boolean> {
  const [browser] = await known(reader, valuesOf(key))
  return browser !== undefined
}

const remember = compileQuery((db, value: Placeholder<BrowserValues & { now: number }>) =>
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
  await remember(trx, { ...valuesOf(key), now: nowSeconds })
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
/** What is kept of the outstanding code, whose row is held until the transaction ends. */
export async function holdCode(trx: Trx, key: CodeKey, nowSeconds: number): Promise<string | undefined> {
  const [code] = await hold(trx, { ...valuesOf(key), now: nowSeconds })
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
/** The hash is part of the condition, so that a code that took this one's place meanwhile stays. */
export async function removeCode(trx: Trx, key: CodeKey, codeHash: string): Promise<void> {
  await remove(trx, { ...valuesOf(key), code_hash: codeHash })
}
