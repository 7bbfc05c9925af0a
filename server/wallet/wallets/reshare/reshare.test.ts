/** Tests reshares and password recovery at the server, on both engines. */

import type { AccountAction, UserRecovery } from '@latchkey/protocol/wallet'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrolledMethod } from '../../../account/verification/testing/enrolled.ts'
import { createVerification, renderVerification } from '../../../account/verification/verification.ts'
import type { App } from '../../../identity/apps/apps.ts'
import { logoutCaller, startSession } from '../../../identity/sessions/sessions.ts'
import type { WalletStep, WalletToken } from '../../../kernel/context.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { newPepper } from '../../../kernel/keys/testing/new-pepper.ts'
import type { Trx } from '../../../kernel/ports.ts'
import { type TestContext, testApp, testContext } from '../../../testing/context.ts'
import { digestAction } from '../../confirm/reading/action.ts'
import { confirmationTables } from '../../confirm/tables.ts'
import { beginWallet } from '../begin.ts'
import { requireCustody, toWalletLine } from '../custody.ts'
import { assertMethodAllowed } from '../recovery/methods.ts'
import {
  countAttempt,
  decideAttempt,
  getPasswordParams,
  isPasswordCorrect,
  renderRecovery,
} from '../recovery/password/release.ts'
import { authorizeOpenRelease, authorizeRelease, sealRelease } from '../release.ts'
import { testVault } from '../testing/vault.ts'
import { commitWallet } from '../wallets.ts'
import { beginReshare, commitReshare, renderReshareStart, storeReshare } from './reshare.ts'

type Access = Parameters<typeof isPasswordCorrect>[3]['access']

const enrolled = ({ appId, userId }: WalletToken) =>
  enrolledMethod({ id: `mfa_${userId}`, app_id: appId, user_id: userId, method: 'totp' })

const gone = expect.objectContaining({ code: 'invalid_data' })
const wrong = expect.objectContaining({ code: 'invalid_recovery_pin' })
const locked = (retryAfterSeconds: number) => ({ code: 'too_many_requests', retryAfterSeconds })

const browser = { key: 'k'.repeat(43), device: 'd'.repeat(43) }

forEachEngine((database) => {
  let context: TestContext
  let app: App
  let ada: WalletToken
  let vault: Awaited<ReturnType<typeof testVault>>
  let walletId: string
  let confirmations = 0

  beforeEach(async () => {
    context = await testContext(database())
    const options = ['user-passcode', 'google-drive', 'icloud'] as const
    const embeddedWalletConfig = { userOwnedRecoveryOptions: [...options] }
    const made = await testApp(context)
    app = { ...made, config: { ...made.config, embeddedWalletConfig } }
    const owner = { appId: app.id, userId: `usr_${app.id}` }
    await context.db
      .insertInto('users')
      .values({ id: owner.userId, app_id: app.id, created_at: 1, accepted_terms_at: null })
      .execute()
    const { sessionId } = await context.transaction((trx) =>
      startSession(trx, context, owner, browser, { id: 'account', linkedAt: 1 }),
    )
    const step: WalletStep = {
      vaultKey: '',
      operation: { id: 'op_1', step: 1 },
      purpose: 'create',
      walletId: null,
      confirmed: null,
    }
    ada = {
      ...owner,
      sessionId,
      isFork: false,
      scope: 'wallet',
      step,
      keyThumbprint: 'd'.repeat(43),
      language: 'en',
    }
    vault = await testVault()
    const begun = await beginWallet(context, ada, 'ethereum')
    if (begun.status !== 'pending') throw new Error('There is a wallet already')
    const { sealingKey, status: _pending, ...line } = begun
    const { commit } = await vault.commit({ appId: app.id, ...line }, sealingKey)
    await commitWallet(context, app, ada, commit)
    walletId = begun.walletId
  })

  const by = (purpose: WalletStep['purpose'], operationId: string): WalletToken => ({
    ...ada,
    step: {
      vaultKey: vault.publicKey,
      operation: { id: operationId, step: 1 },
      purpose,
      walletId,
      confirmed: null,
    },
  })
  /** Approved on the page, for as many changes as the test makes. */
  async function setter(operationId: string, method: UserRecovery = 'user-passcode'): Promise<WalletToken> {
    const action: AccountAction = { method: 'set-recovery', params: [vault.address, method] }
    const digest = digestAction(action)
    const confirmation = `con_${operationId}_${++confirmations}`
    await confirmationTables(context.db)
      .insertInto('confirmations')
      .values({
        id: confirmation,
        app_id: app.id,
        user_id: ada.userId,
        session_id: ada.sessionId,
        wallet_id: walletId,
        address: vault.address,
        request: JSON.stringify(action),
        bytes: 1,
        digest,
        kind: 'account',
        method: action.method,
        chain_id: null,
        target: null,
        value: null,
        place: 'page',
        reason: 'account_action',
        cents: null,
        counts_as: null,
        origin: null,
        state: 'approved',
        on_page: 1,
        expires_at: Math.floor(context.clock.nowMs() / 1_000) + 300,
      })
      .execute()
    const token = by('set-recovery', operationId)
    return { ...token, step: { ...token.step, confirmed: { confirmation, digest } } }
  }
  const custody = () => requireCustody(context.db, ada, walletId)
  const lineAt = async (generation: number) => ({
    ...toWalletLine((await custody()).wallet),
    appId: app.id,
    generation,
  })
  /** The calls of a reshare, in order. */
  const inTransaction = <T>(run: (trx: Trx) => Promise<T>) => context.transaction(run)
  const startReshare = async (caller: WalletToken, mfaToken?: string) =>
    renderReshareStart(
      context,
      caller,
      await inTransaction((trx) => beginReshare(trx, context, app, caller, mfaToken)),
    )
  const releaseShares = async (caller: WalletToken, mfaToken?: string) =>
    sealRelease(
      context,
      caller,
      await inTransaction((trx) =>
        caller.step.purpose === 'sign'
          ? authorizeRelease(trx, context, app, caller, mfaToken, {})
          : authorizeOpenRelease(trx, context, app, caller, mfaToken),
      ),
    )
  const releaseByPassword = async (caller: WalletToken, access: Access, mfaToken?: string) => {
    const tried = await inTransaction((trx) => countAttempt(trx, context, caller, mfaToken))
    const isRight = await isPasswordCorrect(context, caller, tried, { access })
    const outcome = await inTransaction((trx) =>
      decideAttempt(trx, context, app, caller, { ...tried, isRight }, mfaToken),
    )
    return renderRecovery(outcome, context, caller)
  }
  const commit = (caller: WalletToken, generation: number) =>
    context.transaction((trx) => commitReshare(trx, context, caller, generation))
  /** Runs the calls up to the pending shares. */
  const prepare = async (operationId: string, password: string) => {
    const caller = await setter(operationId)
    const { generation, sealingKey } = await startReshare(caller)
    const line = await lineAt(generation)
    const { kept, auth } = await vault.reshare(line, sealingKey, password)
    const readBack = await storeReshare(context, app, caller, kept)
    return { caller, generation, sealingKey, line, kept, auth, readBack }
  }
  const setPassword = async (password: string, operationId = 'op_set') => {
    const prepared = await prepare(operationId, password)
    expect(await commit(prepared.caller, prepared.generation)).toBe('set')
    return prepared
  }
  const accessOf = async (password: string) => {
    const caller = by('recover', 'op_recover')
    const { wallet, sealingKey } = await getPasswordParams(context, caller)
    const sealed = await vault.sealAccess(sealingKey, password, await lineAt(wallet.generation))
    return { caller, access: { sealingKeyId: sealingKey.id, sealed } }
  }
  const recover = async (password: string) => {
    const { caller, access } = await accessOf(password)
    return releaseByPassword(caller, access)
  }

  test('recovers with a password that was set before the last pepper rotation, and with no other password', async () => {
    await setPassword('one')
    const second = await newPepper(context, database())
    await expect(recover('two')).rejects.toEqual(wrong)
    await expect(recover('one')).resolves.toBeTruthy()
    expect((await custody()).wallet.recovery_access).toMatch(/^[\w-]{43}$/)
    await setPassword('three', 'op_again')
    expect((await custody()).wallet.recovery_access).toMatch(new RegExp(`^${second}\\.[\\w-]{43}$`))
    await expect(recover('one')).rejects.toEqual(wrong)
    await expect(recover('three')).resolves.toBeTruthy()
  })

  describe('a new generation', () => {
    test('is stored beside the current one until it is committed, and returned as it was read back', async () => {
      const { generation, line, auth, kept, readBack, caller } = await prepare('op_1', 'one')
      expect(generation).toBe(2)
      expect((await custody()).wallet).toMatchObject({ generation: 1, recovery_method: 'latchkey' })
      const { address } = vault
      const opened = await vault.open(
        readBack.authShare,
        { ...line, role: 'auth', address },
        caller.step.operation,
        null,
        caller.step.purpose,
      )
      expect(opened).toEqual(Buffer.from(auth))
      expect(readBack.recovery).toEqual({ method: 'user-passcode', envelope: kept.recovery.envelope })

      expect(await commit(caller, generation)).toBe('set')
      expect((await custody()).wallet).toMatchObject({ generation: 2, recovery_method: 'user-passcode' })
      expect(await context.db.selectFrom('wallet_reshares').selectAll().execute()).toEqual([])
      // Its response was lost, so it is requested again.
      expect(await commit(caller, generation)).toBe('set before')
    })

    test('is created by one of several concurrent reshares, and the others leave no rows', async () => {
      const attempts = []
      for (const name of ['a', 'b', 'c']) attempts.push(await prepare(`op_${name}`, name))
      expect(attempts.map(({ generation }) => generation)).toEqual([2, 3, 4])
      const outcomes = await Promise.all(attempts.map(({ caller, generation }) => commit(caller, generation)))
      expect([...outcomes].sort()).toEqual(['lost', 'lost', 'set'])
      const winner = attempts[outcomes.indexOf('set')]
      expect((await custody()).wallet.generation).toBe(winner?.generation)
      expect(await context.db.selectFrom('wallet_reshares').selectAll().execute()).toEqual([])
      const audited = await context.db
        .selectFrom('audit_log')
        .select('event')
        .where('user_id', '=', ada.userId)
        .execute()
      expect(audited.filter(({ event }) => event === 'wallet.recovery_set')).toHaveLength(1)
      const later = await startReshare(await setter('op_d'))
      expect(later.generation).toBe(5)
    })

    test("needs a signature of the wallet's key", async () => {
      const caller = await setter('op_1')
      const { generation, sealingKey } = await startReshare(caller)
      const line = await lineAt(generation)
      const { kept } = await vault.reshare(line, sealingKey, 'one')
      const stranger = await testVault()
      const foreign = (await stranger.reshare(line, sealingKey, 'one')).kept.proof
      const older = (await vault.reshare({ ...line, generation: 1 }, sealingKey, 'one')).kept.proof
      for (const proof of [foreign, older])
        await expect(storeReshare(context, app, caller, { ...kept, proof })).rejects.toEqual(gone)
      expect(await storeReshare(context, app, caller, kept)).toBeTruthy()
    })

    test('requires the approved recovery method', async () => {
      const refused = expect.objectContaining({ code: 'not_found' })
      const unapproved = { ...by('set-recovery', 'op_1'), scope: 'wallet' } as const
      await expect(startReshare(unapproved)).rejects.toMatchObject({ code: 'insufficient_scope' })
      const caller = await setter('op_1', 'google-drive')
      const { generation, sealingKey } = await startReshare(caller)
      const { kept } = await vault.reshare(await lineAt(generation), sealingKey, 'one')
      await expect(storeReshare(context, app, caller, kept)).rejects.toEqual(refused)
      expect((await custody()).wallet.recovery_method).toBe('latchkey')
    })

    test('consumes its approval', async () => {
      const caller = await setter('op_1')
      expect(await startReshare(caller)).toBeTruthy()
      await expect(startReshare(caller)).rejects.toMatchObject({ code: 'token_already_used' })
    })

    test('belongs to its operation and number, and expires after ten minutes', async () => {
      const { caller, generation, kept } = await prepare('op_1', 'one')
      const other = await setter('op_2')
      await expect(storeReshare(context, app, other, kept)).rejects.toEqual(gone)
      expect(await commit(other, generation)).toBe('lost')
      expect(await commit(caller, 7)).toBe('lost')
      context.clock.advanceSeconds(600)
      expect(await commit(caller, generation)).toBe('lost')
      expect((await custody()).wallet.generation).toBe(1)
    })

    test('is not committed before its shares were released, nor by a session that ended', async () => {
      const caller = await setter('op_1')
      const { generation } = await startReshare(caller)
      await expect(commit(caller, generation)).rejects.toEqual(gone)
      const whole = await prepare('op_2', 'two')
      await logoutCaller(context, ada)
      await expect(commit(whole.caller, whole.generation)).rejects.toMatchObject({
        code: 'missing_or_invalid_token',
      })
      expect((await custody()).wallet.generation).toBe(1)
    })

    test('is rejected if a share belongs to another slot, and the old generation stays', async () => {
      const caller = await setter('op_1')
      const { generation, sealingKey } = await startReshare(caller)
      const line = await lineAt(generation)
      const { kept } = await vault.reshare(line, sealingKey, 'one')
      const older = await vault.reshare({ ...line, generation: 1 }, sealingKey, 'one')
      for (const change of [
        { authShare: older.kept.authShare },
        { recovery: { ...kept.recovery, envelope: older.kept.recovery.envelope } },
        { recovery: { ...kept.recovery, access: older.kept.recovery.access } },
      ])
        await expect(storeReshare(context, app, caller, { ...kept, ...change })).rejects.toThrow()
      await expect(commit(caller, generation)).rejects.toEqual(gone)
    })
  })

  describe('a recovery method', () => {
    const settings = (change: Partial<App['config']['embeddedWalletConfig']>): App => ({
      ...app,
      config: { ...app.config, embeddedWalletConfig: change },
    })
    test('must be enabled for the app', () => {
      const off = expect.objectContaining({ code: 'disallowed_recovery_method' })
      expect(() => assertMethodAllowed(app, 'user-passcode', true)).not.toThrow()
      expect(() => assertMethodAllowed(settings({}), 'user-passcode', true)).toThrow(off)
      expect(() => assertMethodAllowed(settings({}), 'latchkey', true)).not.toThrow()
      // spec W4.7
      for (const required of ['requireUserOwnedRecoveryOnCreate', 'requireUserPasswordOnCreate'] as const)
        expect(() => assertMethodAllowed(settings({ [required]: true }), 'latchkey', true)).toThrow(off)
      const withPassword = settings({ requireUserPasswordOnCreate: true })
      expect(() => assertMethodAllowed(withPassword, 'user-passcode', true)).not.toThrow()
    })
    test('that the server stores cannot be set again', () => {
      expect(() => assertMethodAllowed(settings({}), 'latchkey', false)).toThrow()
    })
  })

  describe("a file in the user's own cloud", () => {
    const beginWith = async (method: 'google-drive' | 'icloud', change?: object, operationId = 'op_f') => {
      const caller = await setter(operationId, method)
      const { generation, sealingKey } = await startReshare(caller)
      const line = await lineAt(generation)
      return { caller, generation, line, ...(await vault.reshareByFile(line, sealingKey, method, change)) }
    }
    const opened = (
      sealed: Parameters<typeof vault.open>[0] | null,
      line: Awaited<ReturnType<typeof lineAt>>,
      { step }: WalletToken,
    ) => {
      if (sealed === null) throw new Error('Nothing was released')
      const share = { ...line, role: 'recovery', address: vault.address } as const
      return vault.open(sealed, share, step.operation, null, step.purpose)
    }

    test.each(['google-drive', 'icloud'] as const)(
      'by %s: the envelope of its key is returned sealed to the vault',
      async (method) => {
        const { caller, generation, line, kept, envelope } = await beginWith(method)
        const { recovery } = await storeReshare(context, app, caller, kept)
        if (recovery.method === 'user-passcode') throw new Error('It is another method')
        expect(recovery.method).toBe(method)
        expect((await opened(recovery.envelope, line, caller)).toString()).toBe(envelope)
        expect(await commit(caller, generation)).toBe('set')
        expect((await custody()).wallet).toMatchObject({ generation, recovery_method: method })

        const device = by('recover', 'op_r')
        const released = await releaseShares(device)
        expect(released.wallet).toMatchObject({ recoveryMethod: method, generation })
        expect((await opened(released.recoveryShare, line, device)).toString()).toBe(envelope)
        expect(await releaseShares(by('sign', 'op_s'))).toMatchObject({ recoveryShare: null })
        const rows = JSON.stringify(await context.db.selectFrom('wallets').selectAll().execute())
        expect(rows).not.toContain(JSON.parse(envelope).ct)
      },
    )

    test('is rejected in any form but that of its generation', async () => {
      for (const change of [{ gen: 1 }, { kdf: 'argon2id' }, { v: 2 }, { nonce: '!' }, { more: true }]) {
        const { caller, kept } = await beginWith('google-drive', change)
        await expect(storeReshare(context, app, caller, kept), JSON.stringify(change)).rejects.toEqual(gone)
      }
      const { caller, kept } = await beginWith('google-drive')
      expect(await storeReshare(context, app, caller, kept)).toBeTruthy()
    })

    test('must be enabled for the app', async () => {
      const { caller, kept } = await beginWith('icloud')
      const embeddedWalletConfig = { userOwnedRecoveryOptions: ['google-drive' as const] }
      const off: App = { ...app, config: { ...app.config, embeddedWalletConfig } }
      await expect(storeReshare(context, off, caller, kept)).rejects.toMatchObject({
        code: 'disallowed_recovery_method',
      })
    })

    test('requires a verification if the user has a second factor', async () => {
      const { caller, generation, kept } = await beginWith('google-drive')
      await storeReshare(context, app, caller, kept)
      await commit(caller, generation)
      await context.db.insertInto('mfa_methods').values(enrolled(ada)).execute()
      await expect(releaseShares(by('recover', 'op_r'))).rejects.toMatchObject({
        code: 'missing_or_invalid_mfa',
      })
    })
  })

  describe('a password', () => {
    test('releases both shares, and a wrong one releases none', async () => {
      const { kept } = await setPassword('right')
      await expect(recover('wrong')).rejects.toEqual(wrong)
      const released = await recover('right')
      expect(released).toMatchObject({ recoveryEnvelope: kept.recovery.envelope })
      const noPassword = expect.objectContaining({ code: 'disallowed_recovery_method' })
      await expect(releaseShares(by('recover', 'op_r'))).rejects.toEqual(noPassword)
    })

    test('is not needed to sign', async () => {
      await setPassword('right')
      expect(await releaseShares(by('sign', 'op_s'))).toMatchObject({ recoveryShare: null })
    })

    test('of another wallet, generation or server key is rejected like any wrong one', async () => {
      await setPassword('right', 'op_a')
      const { access } = await accessOf('right')
      await setPassword('right', 'op_b')
      const caller = by('recover', 'op_r')
      await expect(releaseByPassword(caller, access)).rejects.toEqual(wrong)
      const present = (await accessOf('right')).access
      const other = { ...present, sealingKeyId: 'another' }
      await expect(releaseByPassword(caller, other)).rejects.toEqual(wrong)
      expect(await releaseByPassword(caller, present)).toBeTruthy()
    })

    test('has five attempts, and the locks grow', async () => {
      await setPassword('right')
      const fiveWrong = async () => {
        for (let turn = 0; turn < 5; turn += 1) await expect(recover('wrong')).rejects.toEqual(wrong)
      }
      await fiveWrong()
      await expect(recover('wrong')).rejects.toMatchObject(locked(300))
      // Even the right one is rejected, so an attacker learns nothing from it.
      await expect(recover('right')).rejects.toMatchObject(locked(300))
      context.clock.advanceSeconds(300)
      await fiveWrong()
      await expect(recover('right')).rejects.toMatchObject(locked(3_300))
      context.clock.advanceSeconds(3_300)
      expect(await recover('right')).toBeTruthy()
      await fiveWrong()
      context.clock.advanceSeconds(3_600)
      await fiveWrong()
      await expect(recover('right')).rejects.toMatchObject({ code: 'too_many_requests' })
      context.clock.advanceSeconds(3_600)
      const day = await recover('right').then(
        () => 0,
        ({ retryAfterSeconds }: { retryAfterSeconds: number }) => retryAfterSeconds,
      )
      expect(day).toBeGreaterThan(3_600 * 10)
    })

    test('concurrent attempts are counted before any comparison', async () => {
      await setPassword('right')
      const { caller, access } = await accessOf('wrong')
      const tries = await Promise.allSettled(
        Array.from({ length: 12 }, () => releaseByPassword(caller, access)),
      )
      const codes = tries.map((one) => (one.status === 'rejected' ? one.reason.code : 'open'))
      expect(codes.filter((code) => code === 'invalid_recovery_pin')).toHaveLength(5)
      expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(7)
    })

    test('right ones consume no attempts', async () => {
      await setPassword('right')
      for (let turn = 0; turn < 8; turn += 1) expect(await recover('right')).toBeTruthy()
    })

    test('and a reshare require a verification if the user has a second factor, and count no attempt without it', async () => {
      await setPassword('right')
      await context.db.insertInto('mfa_methods').values(enrolled(ada)).execute()
      const missing = expect.objectContaining({ code: 'missing_or_invalid_mfa' })
      await expect(startReshare(await setter('op_m'))).rejects.toEqual(missing)
      const { caller, access } = await accessOf('right')
      for (let turn = 0; turn < 6; turn += 1)
        await expect(releaseByPassword(caller, access)).rejects.toEqual(missing)

      const tokenFor = async (of: WalletToken) => {
        const outcome = await inTransaction((trx) => createVerification(trx, context, of, 'totp'))
        return renderVerification(outcome, context).token
      }
      const foreign = await tokenFor(await setter('op_m'))
      const used = expect.objectContaining({ code: 'expired_or_invalid_mfa_token' })
      const wrong = await accessOf('wrong')
      // A verification for another purpose reveals nothing about the password, and counts no attempt.
      for (const tried of [wrong, { caller, access }]) {
        for (const token of ['made-up', foreign]) {
          for (let turn = 0; turn < 6; turn += 1)
            await expect(releaseByPassword(tried.caller, tried.access, token)).rejects.toEqual(used)
        }
      }
      expect(await releaseByPassword(caller, access, await tokenFor(caller))).toBeTruthy()
      expect(await startReshare(await setter('op_m'), foreign)).toBeTruthy()
      await expect(startReshare(await setter('op_m'), foreign)).rejects.toEqual(used)
    })

    test('is stored in no form that allows offline guesses', async () => {
      await setPassword('right')
      const rows = JSON.stringify(await context.db.selectFrom('wallets').selectAll().execute())
      expect(rows).not.toContain('argon2id')
      expect(rows).not.toContain(Buffer.from('right').toString('base64url'))
    })
  })
})
