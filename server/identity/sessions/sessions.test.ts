import type { CompiledQuery } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import {
  createGrantTokens,
  type GrantedSession,
  recreateRefreshToken,
  requireLivingSession,
} from './grant.ts'
import {
  createSessionCode,
  deriveSessionCode,
  forkSession,
  recoverFork,
  redeemSessionCode,
} from './handover/forks.ts'
import { useRefreshToken } from './presented-token.ts'
import { logout, logoutCaller, refreshSession, revokeAllSessions, startSession } from './sessions.ts'
import { advanceCounter, findSession } from './store.ts'
import { mintToken, type TokenSubject } from './tokens/token.ts'
import { createTokenVerifier } from './tokens/verifier.ts'

const appId = 'a'.repeat(25)
const owner = { appId, userId: 'usr_1' }
/** Key thumbprints of two browsers. */
const own = 'o'.repeat(43)
const other = 'p'.repeat(43)

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
    })
  })

  const start = async (provenKey = own, of = owner) => {
    const grant = await context.transaction((trx) =>
      startSession(trx, context, of, { key: provenKey, device: null }),
    )
    return createGrantTokens(context.db, context, grant, provenKey)
  }
  const refresh = async (refreshToken: string, provenKey = own, app = appId) =>
    refreshSession(context, { appId: app, refreshToken, provenKey }, async (_, { tokens }) => tokens)
  const refreshed = async (refreshToken: string, provenKey = own) =>
    (await refresh(refreshToken, provenKey)).refreshToken
  const callerOf = async ({ tokens }: GrantedSession) => {
    const caller = await context.verifyToken(tokens.token)
    if (!caller) throw new Error('The session is alive')
    return caller
  }
  const ended = { code: 'missing_or_invalid_token' }
  const written = async () => {
    const rows = await context.db.selectFrom('audit_log').select(['event', 'session_id', 'details']).execute()
    return rows.map(({ event, session_id, details }) => [event, session_id, JSON.parse(details)])
  }
  const events = async () => {
    const rows = await context.db.selectFrom('audit_log').select('event').execute()
    return rows.map((row) => row.event)
  }

  const fork = async (parent: GrantedSession, refreshToken = parent.tokens.refreshToken, provenKey = own) => {
    const caller = await callerOf(parent)
    const outcome = await context.transaction((trx) =>
      forkSession(trx, context, caller, { appId, refreshToken, provenKey }),
    )
    if (outcome.type === 'refused') return undefined
    return {
      forked: await recreateRefreshToken(context.db, context, outcome.fork),
      own: await recreateRefreshToken(context.db, context, outcome.caller),
    }
  }
  const forkOf = async (parent: GrantedSession, provenKey = own) => {
    const made = await fork(parent, parent.tokens.refreshToken, provenKey)
    if (!made) throw new Error('The fork was refused')
    return made
  }
  const recover = async (forked: string, provenKey = own) => {
    const grant = await context.transaction((trx) =>
      recoverFork(trx, context, { appId, refreshToken: forked, provenKey }),
    )
    return createGrantTokens(context.db, context, grant, provenKey)
  }

  describe('orphaned sessions', () => {
    const isAlive = async ({ session }: GrantedSession) =>
      (await findSession(context.db, session.id))?.revoked_at === null

    test('an orphaned session ends when the browser’s next session is first refreshed', async () => {
      const orphan = await start()
      const kept = await start()
      expect(await isAlive(orphan)).toBe(true)
      await refresh(kept.tokens.refreshToken)
      expect([await isAlive(orphan), await isAlive(kept)]).toEqual([false, true])
      expect(await events()).toEqual(['session.superseded'])
      await expect(refresh(orphan.tokens.refreshToken)).rejects.toMatchObject(ended)
    })

    test('a refresh leaves sessions that were refreshed, belong to others, or began later', async () => {
      const renewed = await start()
      await refresh(renewed.tokens.refreshToken)
      const elsewhere = await start(other)
      const others = await start(own, { appId, userId: 'usr_2' })
      const kept = await start()
      context.clock.advanceSeconds(1)
      const later = await start()
      await refresh(kept.tokens.refreshToken)
      const all = [renewed, elsewhere, others, kept, later]
      expect(await Promise.all(all.map(isAlive))).toEqual([true, true, true, true, true])
    })

    test('only the first refresh of a login looks for orphaned sessions', async () => {
      const kept = await start()
      const second = await refreshed(kept.tokens.refreshToken)
      const another = await start()
      await refresh(second)
      expect(await isAlive(another)).toBe(true)
      const { forked } = await forkOf(await start(other), other)
      const fork = await recover(forked, own)
      await refresh(fork.tokens.refreshToken, own)
      expect(await isAlive(another)).toBe(true)
    })

    test('a repeated first refresh looks for orphaned sessions again', async () => {
      const kept = await start()
      await context.transaction((trx) =>
        advanceCounter(trx, { id: kept.session.id, from: 1, nowMs: 0, nowSeconds: 0, expiresAt: 9e9 }),
      )
      const orphan = await start()
      await refresh(kept.tokens.refreshToken)
      expect(await isAlive(orphan)).toBe(false)
    })
  })

  describe('refresh', () => {
    test('a refresh returns the successor, and the identical one when repeated', async () => {
      const { tokens } = await start()
      const second = await refreshed(tokens.refreshToken)
      expect(second).not.toBe(tokens.refreshToken)
      context.clock.advanceSeconds(3_600)
      expect(await refreshed(tokens.refreshToken)).toBe(second)
      const third = await refreshed(second)
      expect(await refreshed(second)).toBe(third)
    })

    test('parallel refreshes with one token return the same successor', async () => {
      const { tokens } = await start()
      const answers = await Promise.all(Array.from({ length: 16 }, () => refreshed(tokens.refreshToken)))
      expect(new Set(answers).size).toBe(1)
      expect(await refreshed(answers[0] ?? '')).toBeTruthy()
    })

    test('a slow refresh that read an old counter does not decrease it', async () => {
      const { session, tokens } = await start()
      const third = await refreshed(await refreshed(tokens.refreshToken))
      const late = { id: session.id, from: 1, nowMs: context.clock.nowMs(), nowSeconds: 1, expiresAt: 1 }
      expect(await advanceCounter(context.db, late)).toBe(false)
      expect(await refreshed(third)).toBeTruthy()
    })

    test('a refresh advances only its own living session', async () => {
      const [one, two] = [await start(), await start(other)]
      await refreshed(one.tokens.refreshToken)
      expect(await requireLivingSession(context.db, context, two.session.id)).toMatchObject({ counter: 1 })
      const advance = (id: string) =>
        advanceCounter(context.db, { id, from: 1, nowMs: 1, nowSeconds: 1, expiresAt: 1 })
      await logout(context, appId, two.tokens.refreshToken)
      expect(await advance(two.session.id)).toBe(false)
      expect(await advance((await start()).session.id)).toBe(true)
    })

    test('reuse of a token ten seconds after its successor was used ends the family', async () => {
      const session = await start()
      const first = session.tokens.refreshToken
      const second = await refreshed(first)
      const { forked } = await forkOf({ ...session, tokens: { ...session.tokens, refreshToken: second } })
      const child = await recover(forked)
      context.clock.advanceMs(9_999)
      expect(await refreshed(first)).toBe(second)
      context.clock.advanceMs(1)
      await expect(refresh(first)).rejects.toMatchObject(ended)
      expect(await events()).toContain('session.reuse_detected')
      await expect(refresh(second)).rejects.toMatchObject(ended)
      await expect(refresh(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await context.verifyToken(session.tokens.token)).toBeUndefined()
    })

    test('a session expires 30 days after its last refresh', async () => {
      const { tokens } = await start()
      context.clock.advanceSeconds(30 * 86_400 - 1)
      const second = await refreshed(tokens.refreshToken)
      context.clock.advanceSeconds(30 * 86_400 - 1)
      const third = await refreshed(second)
      context.clock.advanceSeconds(30 * 86_400)
      await expect(refresh(third)).rejects.toMatchObject(ended)
    })

    test('an invalid, modified or foreign token ends no session', async () => {
      const { tokens } = await start()
      const [version, id, , mac] = tokens.refreshToken.split('.')
      for (const forged of [
        '',
        'token',
        [version, id, 9, mac].join('.'),
        [version, 'ses_x', 1, mac].join('.'),
        [version, id, 1, 'A'.repeat(43)].join('.'),
      ]) {
        await expect(refresh(forged)).rejects.toMatchObject(ended)
        await logout(context, appId, forged)
      }
      await expect(refresh(tokens.refreshToken, own, 'b'.repeat(25))).rejects.toMatchObject(ended)
      expect(await refreshed(tokens.refreshToken)).toBeTruthy()
    })

    test('a refresh that loses four races returns unavailable', async () => {
      const { tokens, session } = await start()
      let tries = 0
      const { db } = context
      // A concurrent refresh wins each race.
      const racing = Object.assign(db.withoutPlugins(), {
        executeQuery: async (query: CompiledQuery) => {
          if (!query.sql.startsWith('update')) return db.executeQuery(query)
          tries += 1
          return { rows: [] }
        },
      }) as typeof db
      const presented = { appId, refreshToken: tokens.refreshToken, provenKey: own }
      await expect(useRefreshToken(racing, context, presented)).rejects.toMatchObject({ code: 'unavailable' })
      expect(tries).toBe(4)
      expect(await useRefreshToken(db, context, presented)).toMatchObject({
        type: 'granted',
        grant: { sessionId: session.id, counter: 2 },
      })
    })

    test('a session is refreshed with its own key only', async () => {
      const { tokens } = await start(own)
      await expect(refresh(tokens.refreshToken, other)).rejects.toMatchObject(ended)
      expect(await refreshed(tokens.refreshToken, own)).toBeTruthy()
    })

    test('a stolen database can not create tokens without the pepper', async () => {
      const { tokens, session } = await start()
      expect(JSON.stringify(session)).not.toContain(tokens.refreshToken.split('.')[3])
      const thief = { ...context, keyring: { ...context.keyring, pepper: () => new Uint8Array(32) } }
      await expect(
        createGrantTokens(thief.db, thief, { sessionId: session.id, counter: 1 }, own),
      ).rejects.toThrow()
    })
  })

  describe('access tokens', () => {
    test('an access token verifies until its session ends, regardless of its expiry', async () => {
      const session = await start()
      const { tokens } = session
      const hostToken = tokens.mintHostToken({})
      const caller = { ...owner, sessionId: session.session.id, isFork: false }
      const dialogCaller = { ...caller, scope: 'dialog', device: null, keyThumbprint: own }
      expect(await context.verifyToken(tokens.token)).toEqual(dialogCaller)
      expect(await context.verifyToken(hostToken)).toEqual({ ...caller, scope: 'host' })
      await logout(context, appId, tokens.refreshToken)
      expect(await context.verifyToken(tokens.token)).toBeUndefined()
      expect(await context.verifyToken(hostToken)).toBeUndefined()
      // The caller of a logout must be identified to return its response again.
      expect(await context.verifyToken(tokens.token, 'any session')).toEqual(dialogCaller)
    })

    test('a signed token with an app or user other than the session’s is rejected', async () => {
      const { session } = await start()
      const named = { ...owner, sessionId: session.id }
      const signed = (subject: TokenSubject) => {
        const now = Math.floor(context.clock.nowMs() / 1_000)
        const key = context.keyring.signingKey()
        return mintToken(key, context.config.issuer, subject, { scope: 'host' }, now)
      }
      expect(await context.verifyToken(signed({ ...named, appId: 'b'.repeat(25) }))).toBeUndefined()
      expect(await context.verifyToken(signed({ ...named, userId: 'usr_2' }))).toBeUndefined()
      expect(await context.verifyToken(signed({ ...named, sessionId: 'ses_gone' }))).toBeUndefined()
      expect(await context.verifyToken(signed(named))).toMatchObject(named)
    })

    test('a wallet token contains its step', async () => {
      const { session } = await start()
      const step = {
        vaultKey: 'B'.repeat(87),
        operation: { id: 'op_1', step: 2 },
        purpose: 'sign',
        walletId: 'wal_1',
        confirmed: { confirmation: 'c'.repeat(43), digest: `0x${'d1'.repeat(32)}` },
      } as const
      const now = Math.floor(context.clock.nowMs() / 1_000)
      const named = { ...owner, sessionId: session.id }
      const key = context.keyring.signingKey()
      const token = mintToken(
        key,
        context.config.issuer,
        named,
        { scope: 'wallet', step, keyThumbprint: 'd'.repeat(43), language: 'ar' },
        now,
      )
      expect(await context.verifyToken(token)).toEqual({
        ...named,
        isFork: false,
        scope: 'wallet',
        keyThumbprint: 'd'.repeat(43),
        step,
        language: 'ar',
      })
    })

    test('foreign tokens, unknown keys and malformed tokens are rejected', async () => {
      const { tokens } = await start()
      const elsewhere = { ...context, config: { ...context.config, issuer: 'https://elsewhere.example' } }
      expect(await createTokenVerifier(elsewhere)(tokens.token)).toBeUndefined()
      const unknown = tokens.token.replace(
        /^[^.]+/,
        Buffer.from(`{"alg":"ES256","typ":"latchkey-dialog+jwt","kid":"typed-${'x'.repeat(24)}"}`).toString(
          'base64url',
        ),
      )
      expect(await context.verifyToken(unknown)).toBeUndefined()
      expect(await context.verifyToken('')).toBeUndefined()
      context.clock.advanceSeconds(15 * 60)
      expect(await context.verifyToken(tokens.token)).toBeUndefined()
    })
  })

  describe('forks', () => {
    // spec L7.7, L7.5
    test('a fork returns a one-use token, and the caller continues with a successor', async () => {
      const parent = await start()
      const { forked, own: successor } = await forkOf(parent)
      expect(await refreshed(successor)).toBeTruthy()
      const child = await recover(forked, other)
      expect(child.session).toMatchObject({ user_id: 'usr_1', kind: 'fork', family_id: parent.session.id })
      const next = await refreshed(child.tokens.refreshToken, other)
      expect(next).not.toBe(child.tokens.refreshToken)
      await expect(refresh(next, own)).rejects.toMatchObject(ended)
    })

    test('the first key binds a forked token, even in a race, and other keys are rejected', async () => {
      const { forked } = await forkOf(await start())
      const keys = Array.from({ length: 8 }, (_, index) => String(index).repeat(43))
      const tries = await Promise.allSettled(keys.map((key) => recover(forked, key)))
      const winners = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(winners).toHaveLength(1)
      expect(keys).toContain(winners[0]?.session.key_thumbprint)
      for (const one of tries) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'token_already_used' })
      }
      await expect(recover(forked, other)).rejects.toMatchObject({ code: 'token_already_used' })
    })

    test('the same key repeats a forked token until the successor is used, and for ten seconds more', async () => {
      const { forked } = await forkOf(await start())
      const first = await recover(forked, other)
      const together = await Promise.all(Array.from({ length: 4 }, () => recover(forked, other)))
      context.clock.advanceSeconds(3_600)
      for (const again of [...together, await recover(forked, other)]) {
        expect(again.session.id).toBe(first.session.id)
        expect(again.tokens.refreshToken).toBe(first.tokens.refreshToken)
      }
      const next = await refreshed(first.tokens.refreshToken, other)
      context.clock.advanceMs(9_999)
      expect((await recover(forked, other)).tokens.refreshToken).toBe(first.tokens.refreshToken)
      context.clock.advanceMs(1)
      await expect(recover(forked, other)).rejects.toMatchObject({ code: 'token_already_used' })
      expect(await refreshed(next, other)).toBeTruthy()
      expect((await events()).filter((event) => event === 'session.fork_started')).toHaveLength(1)
    })

    test('a forked token expires after 60 seconds, and its started session lives like any other', async () => {
      const parent = await start()
      const { forked: late, own: successor } = await forkOf(parent)
      context.clock.advanceSeconds(59)
      const next = { ...parent, tokens: { ...parent.tokens, refreshToken: successor } }
      const { forked: inTime } = await forkOf(next)
      context.clock.advanceSeconds(1)
      await expect(recover(late)).rejects.toMatchObject(ended)
      const child = await recover(inTime)
      context.clock.advanceSeconds(29 * 86_400)
      expect(await refreshed(child.tokens.refreshToken)).toBeTruthy()
    })

    test('starting one fork leaves other waiting forks unchanged', async () => {
      const parent = await start()
      const { forked: first, own: successor } = await forkOf(parent)
      const next = { ...parent, tokens: { ...parent.tokens, refreshToken: successor } }
      const { forked: second } = await forkOf(next)
      await recover(first, own)
      expect((await recover(second, other)).session).toMatchObject({ key_thumbprint: other })
    })

    test('a login session can not be started as a fork, even with token number 0', async () => {
      const parent = await start()
      const zero = await recreateRefreshToken(context.db, context, {
        sessionId: parent.session.id,
        counter: 0,
      })
      await expect(recover(zero)).rejects.toMatchObject(ended)
      await expect(refresh(zero)).rejects.toMatchObject(ended)
      expect(await refreshed(parent.tokens.refreshToken)).toBeTruthy()
    })

    test('a forked token can not refresh, and a refresh token can not start a fork', async () => {
      const parent = await start()
      const { forked, own: successor } = await forkOf(parent)
      await expect(refresh(forked)).rejects.toMatchObject(ended)
      await expect(recover(successor)).rejects.toMatchObject(ended)
      const child = await recover(forked)
      await expect(refresh(forked)).rejects.toMatchObject(ended)
      await expect(recover(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await refreshed(child.tokens.refreshToken)).toBeTruthy()
    })

    test('forking requires the session’s own refresh token and key', async () => {
      const [one, two] = [await start(), await start()]
      expect(await fork(one, two.tokens.refreshToken)).toBeUndefined()
      expect(await fork(two, two.tokens.refreshToken, other)).toBeUndefined()
      expect(await fork(two)).toBeDefined()
    })

    test('forking with a reused token fails and ends the family', async () => {
      const parent = await start()
      await refreshed(await refreshed(parent.tokens.refreshToken))
      context.clock.advanceSeconds(10)
      expect(await fork(parent)).toBeUndefined()
      expect(await context.verifyToken(parent.tokens.token)).toBeUndefined()
    })

    test('forks and their forks end with their root session', async () => {
      const parent = await start()
      const { forked, own: successor } = await forkOf(parent)
      const child = await recover(forked, other)
      const { forked: waiting } = await forkOf(child, other)
      const next = { ...parent, tokens: { ...parent.tokens, refreshToken: successor } }
      const { forked: second } = await forkOf(next)
      const grandchild = await recover(waiting)
      expect(grandchild.session.family_id).toBe(parent.session.id)
      await logout(context, appId, parent.tokens.refreshToken)
      for (const { tokens } of [child, grandchild]) {
        await expect(refresh(tokens.refreshToken)).rejects.toMatchObject(ended)
        expect(await context.verifyToken(tokens.token)).toBeUndefined()
      }
      await expect(recover(second)).rejects.toMatchObject(ended)
      const rows = await context.db.selectFrom('sessions').select('revoked_at').execute()
      expect(rows.filter(({ revoked_at }) => revoked_at === null)).toEqual([])
    })

    test('a fork ends when its unused parent expires', async () => {
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

    test('a verified token contains whether its session is a fork', async () => {
      const parent = await start()
      const child = await recover((await forkOf(parent)).forked)
      expect(await callerOf(parent)).toMatchObject({ isFork: false })
      for (const token of [child.tokens.token, child.tokens.mintHostToken({})])
        expect(await context.verifyToken(token)).toMatchObject({ isFork: true })
    })
  })

  describe('one-use codes', () => {
    const codeOf = async (session: GrantedSession) => {
      const caller = await callerOf(session)
      const seed = await context.transaction((trx) => createSessionCode(trx, context, caller))
      return deriveSessionCode(context, seed)
    }
    const redeem = async (code: string, provenKey = other) => {
      const grant = await context.transaction((trx) =>
        redeemSessionCode(trx, context, { appId, code, provenKey }),
      )
      return createGrantTokens(context.db, context, grant, provenKey)
    }

    // spec L2.9
    test('a code starts one session with a fork’s limits, bound to the redeeming key', async () => {
      const parent = await start()
      const code = await codeOf(parent)
      const child = await redeem(code)
      expect(child.session).toMatchObject({
        kind: 'fork',
        family_id: parent.session.id,
        key_thumbprint: other,
      })
      expect(await callerOf(child)).toMatchObject({ isFork: true })
      await expect(redeem(code, own)).rejects.toMatchObject({ code: 'token_already_used' })
      const kept = await context.db.selectFrom('session_codes').selectAll().execute()
      expect(JSON.stringify(kept)).not.toContain(code)
    })

    test('the first key binds a code, and repeats the session until its token is used', async () => {
      const code = await codeOf(await start())
      const keys = Array.from({ length: 8 }, (_, index) => String(index).repeat(43))
      const tries = await Promise.allSettled(keys.map((key) => redeem(code, key)))
      const winners = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(winners).toHaveLength(1)
      const [winner] = winners
      if (!winner) throw new Error('One of them starts the session')
      const { session, tokens } = winner
      const key = session.key_thumbprint ?? ''
      context.clock.advanceSeconds(3_600)
      const again = await redeem(code, key)
      expect(again.session.id).toBe(session.id)
      expect(again.tokens.refreshToken).toBe(tokens.refreshToken)
      await refreshed(tokens.refreshToken, key)
      context.clock.advanceSeconds(10)
      await expect(redeem(code, key)).rejects.toMatchObject({ code: 'token_already_used' })
    })

    // spec L2.9
    test('a code is invalid after 60 seconds, after a logout, or if it was never issued', async () => {
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

    test('a code is invalid in another app, and stays usable in its own', async () => {
      const code = await codeOf(await start())
      const elsewhere = context.transaction((trx) =>
        redeemSessionCode(trx, context, { appId: 'b'.repeat(25), code, provenKey: other }),
      )
      await expect(elsewhere).rejects.toMatchObject(ended)
      expect((await redeem(code)).session).toMatchObject({ app_id: appId })
    })

    test('a forked token is invalid in another app', async () => {
      const { forked } = await forkOf(await start())
      const elsewhere = context.transaction((trx) =>
        recoverFork(trx, context, { appId: 'b'.repeat(25), refreshToken: forked, provenKey: other }),
      )
      await expect(elsewhere).rejects.toMatchObject(ended)
      expect((await recover(forked, other)).session).toMatchObject({ app_id: appId })
    })

    test('an ended session can not create a code', async () => {
      const parent = await start()
      const caller = await callerOf(parent)
      await logout(context, appId, parent.tokens.refreshToken)
      const making = context.transaction((trx) => createSessionCode(trx, context, caller))
      await expect(making).rejects.toMatchObject(ended)
    })
  })

  test('session secrets use peppers of their own', async () => {
    const names = new Set<string>()
    const { keyring } = context
    const pepper: typeof keyring.pepper = (name, id) => {
      names.add(name)
      return keyring.pepper(name, id)
    }
    context = { ...context, keyring: { ...keyring, pepper } }
    const session = await start()
    expect([...names]).toEqual(['session-token-key'])
    const caller = await callerOf(session)
    const seed = await context.transaction((trx) => createSessionCode(trx, context, caller))
    deriveSessionCode(context, seed)
    expect([...names]).toEqual(['session-token-key', 'session-code'])
  })

  test('sessions created by another session are audited with their creator', async () => {
    const parent = await start()
    const { forked } = await forkOf(parent)
    const { session: child } = await recover(forked, other)
    expect(await written()).toEqual([
      ['session.forked', child.id, { by: parent.session.id }],
      ['session.fork_started', child.id, {}],
    ])
    const caller = await callerOf(parent)
    const seed = await context.transaction((trx) => createSessionCode(trx, context, caller))
    const code = deriveSessionCode(context, seed)
    const { sessionId } = await context.transaction((trx) =>
      redeemSessionCode(trx, context, { appId, code, provenKey: other }),
    )
    expect((await written()).slice(2)).toEqual([
      ['session.started_by_code', sessionId, { by: parent.session.id }],
    ])
  })

  test('ended sessions are audited with the reason', async () => {
    const orphan = await start()
    const kept = await start()
    const second = await refreshed(kept.tokens.refreshToken)
    await refreshed(second)
    context.clock.advanceSeconds(10)
    await expect(refresh(kept.tokens.refreshToken)).rejects.toMatchObject(ended)
    expect(await written()).toEqual([
      ['session.superseded', orphan.session.id, { by: kept.session.id }],
      ['session.reuse_detected', kept.session.id, { family: kept.session.id }],
    ])
  })

  test('a session that ended meanwhile is refused within the deciding transaction', async () => {
    const { session, tokens } = await start()
    expect(await requireLivingSession(context.db, context, session.id)).toMatchObject({ id: session.id })
    await logout(context, appId, tokens.refreshToken)
    await expect(requireLivingSession(context.db, context, session.id)).rejects.toMatchObject(ended)
    await expect(requireLivingSession(context.db, context, 'ses_unknown')).rejects.toMatchObject(ended)
  })

  describe('the end of sessions', () => {
    test('logging out a fork ends only that fork', async () => {
      const parent = await start()
      const { forked, own: successor } = await forkOf(parent)
      const child = await recover(forked)
      await logout(context, appId, child.tokens.refreshToken)
      await expect(refresh(child.tokens.refreshToken)).rejects.toMatchObject(ended)
      expect(await refreshed(successor)).toBeTruthy()
    })

    // spec L7.6
    test('logout accepts any token of the session, repeatedly, and ignores unknown tokens', async () => {
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

    test('a browser without its refresh token ends its session with its access token', async () => {
      const session = await start()
      const caller = await callerOf(session)
      await logoutCaller(context, { ...caller, sessionId: 'ses_gone' })
      expect(await events()).toEqual([])
      await logoutCaller(context, caller)
      await expect(refresh(session.tokens.refreshToken)).rejects.toMatchObject(ended)
    })

    test('revoking all sessions ends those of the user only', async () => {
      const [one, two] = [await start(), await start()]
      const child = await recover((await forkOf(two)).forked)
      const stranger = await start(own, { appId, userId: 'usr_2' })
      await revokeAllSessions(context, await callerOf(one))
      for (const { tokens } of [one, two, child])
        expect(await context.verifyToken(tokens.token)).toBeUndefined()
      expect(await context.verifyToken(stranger.tokens.token)).toBeDefined()
    })

    test('revoking all sessions returns the count, and leaves earlier revocations unchanged', async () => {
      const [one, two, before] = [await start(), await start(), await start()]
      await logout(context, appId, before.tokens.refreshToken)
      const revokedAt = async () => (await findSession(context.db, before.session.id))?.revoked_at
      const then = await revokedAt()
      context.clock.advanceSeconds(60)
      await revokeAllSessions(context, await callerOf(one))
      expect(await revokedAt()).toBe(then)
      expect((await findSession(context.db, two.session.id))?.revoked_at).toBe((then ?? 0) + 60)
      const rows = await context.db.selectFrom('audit_log').select(['event', 'details']).execute()
      expect(rows).toContainEqual({ event: 'session.all_revoked', details: JSON.stringify({ sessions: 2 }) })
    })

    test('a grant of an ended session returns no tokens', async () => {
      const grant = await context.transaction((trx) =>
        startSession(trx, context, owner, { key: own, device: null }),
      )
      const { tokens } = await createGrantTokens(context.db, context, grant, own)
      expect((await createGrantTokens(context.db, context, grant, own)).tokens.refreshToken).toBe(
        tokens.refreshToken,
      )
      await expect(createGrantTokens(context.db, context, grant, other)).rejects.toMatchObject(ended)
      await logout(context, appId, tokens.refreshToken)
      await expect(createGrantTokens(context.db, context, grant, own)).rejects.toMatchObject(ended)
    })
  })
})
