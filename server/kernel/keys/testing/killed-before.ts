/**
 * Preloaded into a command: kills it with SIGKILL right before the effect with the number KILLED_BEFORE. Effects are
 * file operations, writes to tables with keys, and the commits of those writes.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

const killedBefore = Number(process.env.KILLED_BEFORE)
let effects = 0
/** Whether a write is pending that the next commit makes durable. */
let isWritten = false

function effect(): void {
  effects += 1
  if (effects === killedBefore) process.kill(process.pid, 'SIGKILL')
}

const writesKeys =
  /^\s*(insert into|update|delete from) "(instance|server_keys|wallets|wallet_reshares|mfa_methods)"/
function statement(sql: string): void {
  const isCommit = isWritten && /^\s*commit/i.test(sql)
  if (isCommit) isWritten = false
  if (writesKeys.test(sql)) isWritten = true
  else if (!isCommit) return
  effect()
}

for (const name of ['writeSync', 'renameSync', 'linkSync', 'rmSync'] as const) {
  const real = fs[name]
  Object.assign(fs, {
    [name]: (...args: readonly unknown[]) => {
      effect()
      return Reflect.apply(real, fs, args)
    },
  })
}
syncBuiltinESMExports()

for (const name of ['run', 'all'] as const) {
  const real = StatementSync.prototype[name]
  Object.assign(StatementSync.prototype, {
    [name](this: StatementSync, ...args: readonly unknown[]) {
      statement(this.sourceSQL)
      return Reflect.apply(real, this, args)
    },
  })
}
const { exec } = DatabaseSync.prototype
Object.assign(DatabaseSync.prototype, {
  exec(this: DatabaseSync, sql: string) {
    statement(sql)
    return Reflect.apply(exec, this, [sql])
  },
})
const { query } = pg.Client.prototype
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: readonly unknown[]) {
    const [asked] = args
    const isNamed = typeof asked === 'object' && asked !== null && 'text' in asked
    statement(String(isNamed ? asked.text : asked))
    return Reflect.apply(query, this, args)
  },
})
