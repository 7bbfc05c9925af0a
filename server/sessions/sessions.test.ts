import { sessionLimits } from '@latchkey/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../db/test-engines.ts'
import { type TestContext, testContext } from '../testing/context.ts'
import { createSessionCode, forkSession, recoverFork, redeemSessionCode, sessionCodeOf } from './forks.ts'
import { type GrantedSession, refreshTokenOf, tokensOfGrant } from './grant.ts'
import {
  logout,
  logoutCaller,
  refreshSession,
  requireFullSession,
  revokeAllSessions,
  startSession,
} from './sessions.ts'
import { advanceCounter } from './store.ts'
import { createTokenVerifier } from './verifier.ts'

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'usr_1' }

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
  })

  const start = async (provenKey?: string, of = owner) => {
    const grant = await context.transaction((trx) => startSession(trx, context, of, provenKey))
    return tokensOfGrant(context.db, context, grant, provenKey)
  }
  const refresh = async (refreshToken: string, provenKey?: string, app = appId) =>
    (await refreshSession(context, { appId: app, refreshToken, provenKey })).tokens
  const refreshed = async (refreshToken: string, provenKey?: string) =>
    (await refresh(refreshToken, provenKey)).refreshToken
  const callerOf = async ({ tokens }: GrantedSession) => {
    const caller = await context.verifyToken(tokens.token)
    if (!caller) throw new Error('The session is alive')
    return caller
  }
  const ended = { code: 'missing_or_invalid_token' }
  const events = async () => {
    const rows = await context.db.selectFrom('audit_log').select('event').execute()
    return rows.map((row) => row.event)
  }

  const fork = async (
    parent: GrantedSession,
    refreshToken = parent.tokens.refreshToken,
    provenKey?: string,
  ) => {
    const caller = await callerOf(parent)
    const outcome = await context.transaction((trx) =>
      forkSession(trx, context, caller, { appId, refreshToken, provenKey }),
    )
    if (outcome.type === 'refused') return undefined
    return {
      forked: await refreshTokenOf(context.db, context, outcome.fork),
      own: await refreshTokenOf(context.db, context, outcome.caller),
    }
  }
  const forkOf = async (parent: GrantedSession) => {
    const made = await fork(parent)
    if (!made) throw new Error('The fork was refused')
    return made
  }
  const recover = async (forked: string, provenKey?: string) => {
    const grant = await context.transaction((trx) =>
      recoverFork(trx, context, { appId, refreshToken: forked, provenKey }),
    )
    return tokensOfGrant(context.db, context, grant, provenKey)
  }

  describe('refresh', () => {
    test('each token is answered with its successor, and with the identical one again', async () => {
      const { tokens } = await start()
      const second = await refreshed(tokens.refreshToken)
      expect(second).not.toBe(tokens.refreshToken)
      context.clock.advanceSeconds(3_600)
      expect(await refreshed(tokens.refreshToken)).toBe(second)
      const third = await refreshed(second)
      expect(await refreshed(second)).toBe(third)
    })

    test('parallel refreshes of one parent all get one successor', async () => {
      const { tokens } = await start()
      const answers = await Promise.all(Array.from({ length: 16 }, () => refreshed(tokens.refreshToken)))
      expect(new Set(answers).size).toBe(1)
      expect(await refreshed(answers[0] ?? '')).toBeTruthy()
    })

    test('a slow refresh that read an old counter does not turn it back', async () => {
      const { session, tokens } = await start()
      const third = await refreshed(await refreshed(tokens.refreshToken))
      const late = { id: session.id, from: 1, nowMs: context.clock.nowMs(), nowSeconds: 1, expiresAt: 1 }
      expect(await advanceCounter(context.db, late)).toBe(false)
      expect(await refreshed(third)).toBeTruthy()
    })

    test('a token that comes back ten seconds after its successor was used ends the family', async () => {
      const session = await start()
      const first = session.tokens.refreshToken
      const second = await refreshed(first)
      const { forked } = await forkOf({ ...session, tokens: { ...session.tokens, refreshToken: second } })
      const child = await recover(forked)
      context.clock.advanceMs(sessionLimits.successorGraceSeconds * 1_000 - 1)
      expect(await refreshed(first)).toBe(second)
      context.clock.advanceMs(1)
      await expect(refresh(first)).rejects.toMatchObject(ended)
      expect(await events()).toContain('session.reuse_detected')
      await expect(refresh(second)).rejects.toMatchObject(ended)
      await expect(refresh(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await context.verifyToken(session.tokens.token)).toBeUndefined()
    })

    test('a session ends 30 days after it was last refreshed', async () => {
      const { tokens } = await start()
      context.clock.advanceSeconds(sessionLimits.refreshTokenSeconds - 1)
      const second = await refreshed(tokens.refreshToken)
      context.clock.advanceSeconds(sessionLimits.refreshTokenSeconds - 1)
      const third = await refreshed(second)
      context.clock.advanceSeconds(sessionLimits.refreshTokenSeconds)
      await expect(refresh(third)).rejects.toMatchObject(ended)
    })

    test('a token that was made up, changed, or belongs to another app ends nothing', async () => {
      const { tokens } = await start()
      const [version, id, , mac] = tokens.refreshToken.split('.')
      for (const forged of [
        '',
        'token',
        [version, id, 9, mac].join('.'),
        [version, 'ses_x', 1, mac].join('.'),
      ])
        await expect(refresh(forged)).rejects.toMatchObject(ended)
      await expect(refresh(tokens.refreshToken, undefined, 'b'.repeat(25))).rejects.toMatchObject(ended)
      expect(await refreshed(tokens.refreshToken)).toBeTruthy()
    })

    test('a session with a key takes no refresh without that key', async () => {
      const { tokens } = await start('thumbprint')
      await expect(refresh(tokens.refreshToken)).rejects.toMatchObject(ended)
      await expect(refresh(tokens.refreshToken, 'another')).rejects.toMatchObject(ended)
      expect(await refreshed(tokens.refreshToken, 'thumbprint')).toBeTruthy()
    })

    test('a stolen database makes no token: the key in it opens with a pepper that it does not have', async () => {
      const { tokens, session } = await start()
      expect(JSON.stringify(session)).not.toContain(tokens.refreshToken.split('.')[3])
      const thief = { ...context, keyring: { ...context.keyring, pepper: () => new Uint8Array(32) } }
      await expect(
        tokensOfGrant(thief.db, thief, { sessionId: session.id, counter: 1 }, undefined),
      ).rejects.toThrow()
    })
  })

  describe('access tokens', () => {
    test('name the session until it ends, whatever is left of their time', async () => {
      const session = await start()
      const { tokens } = session
      const caller = { ...owner, sessionId: session.session.id, vaultKey: null }
      expect(await context.verifyToken(tokens.token)).toEqual({ ...caller, scope: 'dialog' })
      expect(await context.verifyToken(tokens.hostToken)).toEqual({ ...caller, scope: 'host' })
      await logout(context, appId, tokens.refreshToken)
      expect(await context.verifyToken(tokens.token)).toBeUndefined()
      expect(await context.verifyToken(tokens.hostToken)).toBeUndefined()
    })

    test('of another server, with an unknown key, and what is no token at all name nobody', async () => {
      const { tokens } = await start()
      const elsewhere = { ...context, config: { ...context.config, issuer: 'https://elsewhere.example' } }
      expect(await createTokenVerifier(elsewhere)(tokens.token)).toBeUndefined()
      const unknown = tokens.token.replace(
        /^[^.]+/,
        Buffer.from('{"alg":"ES256","typ":"JWT","kid":"x"}').toString('base64url'),
      )
      expect(await context.verifyToken(unknown)).toBeUndefined()
      expect(await context.verifyToken('')).toBeUndefined()
      context.clock.advanceSeconds(sessionLimits.accessTokenSeconds)
      expect(await context.verifyToken(tokens.token)).toBeUndefined()
    })
  })

  describe('forks', () => {
    // spec L7.7 L7.5
    test('a fork gives a one-use token, and the caller goes on with a successor', async () => {
      const parent = await start()
      const { forked, own } = await forkOf(parent)
      expect(await refreshed(own)).toBeTruthy()
      const child = await recover(forked, 'its key')
      expect(child.session).toMatchObject({ user_id: 'usr_1', kind: 'fork', family_id: parent.session.id })
      const next = await refreshed(child.tokens.refreshToken, 'its key')
      expect(next).not.toBe(child.tokens.refreshToken)
      await expect(refresh(next)).rejects.toMatchObject(ended)
    })

    test('a forked token starts one session, also when many try at once', async () => {
      const { forked } = await forkOf(await start())
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => recover(forked)))
      expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      for (const one of tries) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'token_already_used' })
      }
      await expect(recover(forked)).rejects.toMatchObject({ code: 'token_already_used' })
    })

    test('a forked token does not refresh, and a refresh token does not start a fork', async () => {
      const parent = await start()
      const { forked, own } = await forkOf(parent)
      await expect(refresh(forked)).rejects.toMatchObject(ended)
      await expect(recover(own)).rejects.toMatchObject(ended)
      const child = await recover(forked)
      await expect(refresh(forked)).rejects.toMatchObject(ended)
      await expect(recover(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await refreshed(child.tokens.refreshToken)).toBeTruthy()
    })

    test('forking needs the refresh token of the same session, and its key', async () => {
      const [one, two] = [await start(), await start()]
      expect(await fork(one, two.tokens.refreshToken)).toBeUndefined()
      const bound = await start('thumbprint')
      expect(await fork(bound)).toBeUndefined()
      expect(await fork(bound, bound.tokens.refreshToken, 'thumbprint')).toBeDefined()
    })

    test('a spent token that comes to fork ends the family, though the call is refused', async () => {
      const parent = await start()
      await refreshed(await refreshed(parent.tokens.refreshToken))
      context.clock.advanceSeconds(sessionLimits.successorGraceSeconds)
      expect(await fork(parent)).toBeUndefined()
      expect(await context.verifyToken(parent.tokens.token)).toBeUndefined()
    })

    test('forks and forks of forks end with the session that they come from', async () => {
      const parent = await start()
      const { forked, own } = await forkOf(parent)
      const child = await recover(forked)
      const { forked: waiting } = await forkOf(child)
      const { forked: second } = await forkOf({ ...parent, tokens: { ...parent.tokens, refreshToken: own } })
      const grandchild = await recover(waiting)
      expect(grandchild.session.family_id).toBe(parent.session.id)
      await logout(context, appId, parent.tokens.refreshToken)
      for (const { tokens } of [child, grandchild]) {
        await expect(refresh(tokens.refreshToken)).rejects.toMatchObject(ended)
        expect(await context.verifyToken(tokens.token)).toBeUndefined()
      }
      await expect(recover(second)).rejects.toMatchObject(ended)
    })

    test('a fork does not outlive its parent that nobody used any more', async () => {
      const parent = await start()
      const child = await recover((await forkOf(parent)).forked)
      let token = child.tokens.refreshToken
      for (let week = 0; week < 4; week += 1) {
        context.clock.advanceSeconds(7 * 86_400)
        token = await refreshed(token)
      }
      context.clock.advanceSeconds(3 * 86_400)
      await expect(refresh(token)).rejects.toMatchObject(ended)
    })

    test('a fork may not do what outlasts it', async () => {
      const parent = await start()
      const parentCaller = await callerOf(parent)
      const child = await recover((await forkOf(parent)).forked)
      const caller = await callerOf(child)
      await context.transaction((trx) => requireFullSession(trx, context, parentCaller))
      const asFork = context.transaction((trx) => requireFullSession(trx, context, caller))
      await expect(asFork).rejects.toMatchObject({ code: 'insufficient_scope' })
    })
  })

  describe('one-use codes', () => {
    const codeOf = async (session: GrantedSession, provenKey?: string) => {
      const caller = await callerOf(session)
      const seed = await context.transaction((trx) => createSessionCode(trx, context, caller, provenKey))
      return sessionCodeOf(context, seed)
    }
    const redeem = async (code: string, provenKey?: string) => {
      const grant = await context.transaction((trx) =>
        redeemSessionCode(trx, context, { appId, code, provenKey }),
      )
      return tokensOfGrant(context.db, context, grant, provenKey)
    }

    // spec L2.9
    test('a code starts one session with the limits of a fork, bound to who redeems it', async () => {
      const parent = await start()
      const code = await codeOf(parent)
      const child = await redeem(code, 'its key')
      expect(child.session).toMatchObject({
        kind: 'fork',
        family_id: parent.session.id,
        key_thumbprint: 'its key',
      })
      await expect(redeem(code)).rejects.toMatchObject({ code: 'token_already_used' })
      const kept = await context.db.selectFrom('session_codes').selectAll().execute()
      expect(JSON.stringify(kept)).not.toContain(code)
    })

    test('parallel redemptions start one', async () => {
      const code = await codeOf(await start())
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => redeem(code)))
      expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    })

    // spec L2.9
    test('a code is worth nothing after 60 seconds, after a logout, or if it was made up', async () => {
      const parent = await start()
      const [late, dead] = [await codeOf(parent), await codeOf(parent)]
      context.clock.advanceSeconds(59)
      await redeem(dead)
      const last = await codeOf(parent)
      context.clock.advanceSeconds(1)
      await expect(redeem(late)).rejects.toMatchObject(ended)
      await logout(context, appId, parent.tokens.refreshToken)
      await expect(redeem(last)).rejects.toMatchObject(ended)
      await expect(redeem('A'.repeat(43))).rejects.toMatchObject(ended)
    })

    test('a copied access token of a session with a key makes no code', async () => {
      const parent = await start('thumbprint')
      await expect(codeOf(parent)).rejects.toMatchObject(ended)
      expect(await codeOf(parent, 'thumbprint')).toBeTruthy()
    })
  })

  describe('the end', () => {
    test('logging a fork out ends that fork alone', async () => {
      const parent = await start()
      const { forked, own } = await forkOf(parent)
      const child = await recover(forked)
      await logout(context, appId, child.tokens.refreshToken)
      await expect(refresh(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await refreshed(own)).toBeTruthy()
    })

    // spec L7.6
    test('logout works with any token of the session, twice, and says nothing about tokens it does not know', async () => {
      const { tokens } = await start()
      await refreshed(await refreshed(tokens.refreshToken))
      await logout(context, 'b'.repeat(25), tokens.refreshToken)
      expect(await context.verifyToken(tokens.token)).toBeDefined()
      await logout(context, appId, tokens.refreshToken)
      await logout(context, appId, tokens.refreshToken)
      await logout(context, appId, 'never seen')
      expect(await context.verifyToken(tokens.token)).toBeUndefined()
      expect((await events()).filter((event) => event === 'session.logged_out')).toHaveLength(1)
    })

    test('a browser that lost its refresh token ends its session with its access token', async () => {
      const session = await start()
      await logoutCaller(context, await callerOf(session))
      await expect(refresh(session.tokens.refreshToken)).rejects.toMatchObject(ended)
    })

    test('revoking all ends every session of the user and no other', async () => {
      const [one, two] = [await start(), await start()]
      const child = await recover((await forkOf(two)).forked)
      const other = await start(undefined, { appId, userId: 'usr_2' })
      await revokeAllSessions(context, await callerOf(one))
      for (const { tokens } of [one, two, child])
        expect(await context.verifyToken(tokens.token)).toBeUndefined()
      expect(await context.verifyToken(other.tokens.token)).toBeDefined()
    })

    test('what was granted to a session that ended meanwhile is not given again', async () => {
      const grant = await context.transaction((trx) => startSession(trx, context, owner, 'its key'))
      const { tokens } = await tokensOfGrant(context.db, context, grant, 'its key')
      expect((await tokensOfGrant(context.db, context, grant, 'its key')).tokens.refreshToken).toBe(
        tokens.refreshToken,
      )
      await expect(tokensOfGrant(context.db, context, grant, undefined)).rejects.toMatchObject(ended)
      await logout(context, appId, tokens.refreshToken)
      await expect(tokensOfGrant(context.db, context, grant, 'its key')).rejects.toMatchObject(ended)
    })
  })
})
