/** Verifies bearer tokens: the signature locally, and the session in the database. */
import type { ServerContext, VerifiedToken } from '../../../kernel/context.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { findSession, isAlive, type Session } from '../store.ts'
import { parseKeyId, type TokenClaims, verifyToken } from './token.ts'

type Ports = Pick<ServerContext, 'config' | 'clock' | 'keyring' | 'db'>

export const createTokenVerifier =
  ({ config, clock, keyring, db }: Ports): ServerContext['verifyToken'] =>
  async (token, of = 'living session') => {
    const keyId = parseKeyId(token)
    const key = keyId === undefined ? undefined : await keyring.verificationKey(keyId)
    const claims = key && verifyToken(token, key, config.issuer, nowSeconds(clock))
    if (!claims) return undefined
    const session = await findSession(db, claims.sid)
    if (session === undefined) return undefined
    if (of === 'living session' && !isAlive(session, clock)) return undefined
    if (session.app_id !== claims.client_id || session.user_id !== claims.sub) return undefined
    return verifiedToken(claims, session)
  }

function verifiedToken(claims: TokenClaims, { kind, device }: Session): VerifiedToken {
  const isFork = kind === 'fork'
  const identity = { appId: claims.client_id, userId: claims.sub, sessionId: claims.sid, isFork }
  switch (claims.scope) {
    case 'dialog':
      return { ...identity, scope: 'dialog', keyThumbprint: claims.cnf.jkt, device }
    case 'host':
      return { ...identity, scope: 'host' }
    case 'wallet': {
      const { vpk: vaultKey, op: operation, purpose, wallet: walletId, confirmed } = claims
      const step = { vaultKey, operation, purpose, walletId, confirmed }
      const { jkt: keyThumbprint } = claims.cnf
      return { ...identity, scope: 'wallet', step, keyThumbprint, language: claims.lang ?? 'en' }
    }
    default:
      return claims satisfies never
  }
}
