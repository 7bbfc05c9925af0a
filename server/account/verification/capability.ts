import { recordAudit } from '../../identity/audit/audit.ts'
import { endUserSessions } from '../../identity/sessions/sessions.ts'
import { findOneUser, isUser, lockUser } from '../../identity/users/users.ts'
import { type AppCommand, type Capability, port } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { secondFactors } from '../../wallet/wallets/wallets.ts'
import { endMethod } from './end-method.ts'
import { verificationMigrations } from './tables.ts'
import { consumeVerification, enrolledMethods, requireVerification } from './verification.ts'

const spec = {
  summary: 'removes every verification method of a user who lost them, and ends their sessions',
  arguments: '<id> <user>',
} as const satisfies CommandSpec

/** Resets all second factors after a user lost them. The operator must identify the user by other means. */
export const mfaResetCommand: AppCommand = {
  name: 'mfa-reset',
  spec,
  async run(appId, [reference, ...more], db, _, { clock }) {
    if (reference === undefined || more.length > 0) return { type: 'misused', lines: [] }
    const match = await findOneUser(db, reference, appId)
    if (match.type === 'refused') return match
    const { userId } = match.user
    const removed = await withTransaction(db, async (trx) => {
      const owner = { appId, userId }
      if (!(await isUser(trx, appId, userId))) return undefined
      await lockUser(trx, { userId })
      const methods = await enrolledMethods(trx, userId)
      for (const method of methods) await endMethod(trx, owner, method)
      // An attacker with an open session could otherwise enrol their own method first.
      const sessions = await endUserSessions(trx, owner, nowSeconds(clock))
      await recordAudit(trx, clock, {
        event: 'mfa.reset_by_operator',
        appId,
        userId,
        sessionId: null,
        details: { methods: methods.join(' '), sessions },
      })
      return methods
    })
    if (removed === undefined)
      return { type: 'refused', lines: [`App ${appId} has no user with the id ${userId}.`] }
    return { type: 'done', lines: [`Removed from ${userId}: ${removed.join(', ') || 'no methods'}.`] }
  },
}

export const verification: Capability = {
  name: 'verification',
  migrations: verificationMigrations,
  ports: [port(secondFactors, () => ({ value: { use: consumeVerification, require: requireVerification } }))],
  userRows: [
    { table: 'mfa_verifications', goes: 'with the account', by: ['user_id'] },
    { table: 'mfa_tries', goes: 'with the account', by: ['user_id'] },
  ],
  restored: { drops: ['mfa_verifications'] },
  expiryRules: [
    { table: 'mfa_verifications', key: ['token_hash'], column: 'expires_at', retentionSeconds: 0 },
    { table: 'mfa_tries', key: ['user_id', 'method'], column: 'expires_at', retentionSeconds: 0 },
  ],
}

/** The shared parts of all second factors. Each method also has its own capability. */
export const mfa: Capability = {
  name: 'mfa',
  appCommands: [mfaResetCommand],
  userRows: [{ table: 'mfa_methods', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'mfa_methods', key: ['id'], column: 'expires_at', retentionSeconds: 0 }],
}
