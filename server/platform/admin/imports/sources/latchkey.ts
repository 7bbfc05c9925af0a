/** Lines of `exportUsers` and `latchkey users export`. */
import * as v from 'valibot'
import { maybe, type ParseRecord, type SourceAccount, timeMs } from './source.ts'

const record = v.object({
  id: v.string(),
  external_id: maybe(v.string()),
  created_at: timeMs,
  blocked: maybe(v.object({ reason: maybe(v.string()) })),
  accounts: v.array(
    v.object({ type: v.string(), identifier: v.string(), latest_verified_at: maybe(v.string()) }),
  ),
  expected_accounts: maybe(v.array(v.object({ type: v.string(), identifier: v.string() }))),
  metadata: maybe(v.object({ public: maybe(v.unknown()), private: maybe(v.unknown()) })),
  wallets: maybe(v.array(v.unknown())),
})

export const parseLatchkey: ParseRecord = (value) => {
  const user = v.parse(record, value)
  return {
    // Hosts without an id of their own know the user by the id of the other server.
    externalId: user.external_id ?? user.id,
    createdAtMs: user.created_at,
    block: user.blocked ? { reason: user.blocked.reason ?? null } : undefined,
    accounts: [
      ...user.accounts.map(({ type, identifier, latest_verified_at: verifiedAt }): SourceAccount => {
        if (type === 'passkey') return { omission: 'passkey' }
        // The id of the other app is part of the account.
        if (type === 'cross_app') return { omission: 'unsupported_account' }
        if (type === 'email' && !verifiedAt) return { omission: 'unverified_email' }
        if (type === 'phone' && !verifiedAt) return { omission: 'unverified_phone' }
        return { type, identifier }
      }),
      ...(user.expected_accounts ?? []),
      ...(user.wallets ?? []).map((): SourceAccount => ({ omission: 'embedded_wallet' })),
    ],
    metadata: user.metadata
      ? { public: user.metadata.public ?? undefined, private: user.metadata.private ?? undefined }
      : undefined,
  }
}
