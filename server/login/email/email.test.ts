import { beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { setFields } from '../../identity/apps/manage.ts'
import { type CodeKey, hashBinding, orderCode } from '../../identity/codes/codes.ts'
import { createGrantTokens } from '../../identity/sessions/grant.ts'
import { logoutCaller, startSession } from '../../identity/sessions/sessions.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { requireUser } from '../../identity/users/users.ts'
import { mailer } from '../../integrations/mail/mail.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { unlink } from '../proven.ts'
import { emailCodes, link, login, mailCode, requireEmailLogin, update } from './email.ts'

const ada = 'ada@example.com'
/** Specified limits, independent of the code. */
const guessesPerWindow = 5
const guessesPerDay = 20
const sendsPerWindow = 5
const sendsPerDay = 30
const guessWindowSeconds = 600
const codeSeconds = 600
const tooMany = { code: 'too_many_requests' }
const provenKey = 'k'.repeat(43)
const by = { key: provenKey, device: null }
const unknownCaller = { address: undefined }

forEachEngine((database) => {
  let context: TestContext
  let app: App
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    app = await testApp(context)
  })

  const keyOf = (address = ada, binding: string | null = 'browser'): CodeKey => ({
    appId: app.id,
    purpose: emailCodes,
    identifier: address,
    binding: hashBinding(binding ?? undefined),
  })
  const newestCode = () => context.mails.at(-1)?.subject.slice(0, 6) ?? ''
  const order = (address = ada, binding?: string | null) =>
    context.transaction((trx) => orderCode(trx, context, keyOf(address, binding), unknownCaller, undefined))
  const send = async (address = ada, binding?: string | null) => {
    await mailCode(context, { app, language: 'en' }, keyOf(address, binding), await order(address, binding))
    return newestCode()
  }
  const attempt = (code: string, address = ada, binding?: string | null) =>
    context.transaction((trx) =>
      login(trx, context, app, keyOf(address, binding), { code, address: undefined, browser: by }),
    )
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')
  const rowsOf = async (table: 'users' | 'linked_accounts' | 'sessions' | 'codes') =>
    context.db.selectFrom(table).selectAll().execute()

  describe('sending', () => {
    test('mails a code, and a resend mails another one that replaces it', async () => {
      const first = await send()
      expect(first).toMatch(/^\d{6}$/)
      expect(context.mails[0]).toMatchObject({ to: ada, subject: `${first} is your Fieldnotes code` })
      const second = await send()
      expect(await attempt(first === second ? wrongFor(second) : first)).toEqual({ type: 'wrong_code' })
      expect(await attempt(second)).toMatchObject({ type: 'in' })
    })

    test('a repeated interrupted send mails the same code with the same expiry', async () => {
      const first = await order()
      await mailCode(context, { app, language: 'en' }, keyOf(), first)
      context.clock.advanceSeconds(60)
      const again = await context.transaction((trx) => orderCode(trx, context, keyOf(), unknownCaller, first))
      await mailCode(context, { app, language: 'en' }, keyOf(), again)
      expect(context.mails[1]?.subject).toBe(context.mails[0]?.subject)
      context.clock.advanceSeconds(codeSeconds - 60)
      expect(await attempt(newestCode())).toEqual({ type: 'wrong_code' })
    })

    test('stores no code in the database', async () => {
      const code = await send()
      expect(await rowsOf('codes')).toMatchObject([{ purpose: 'email', identifier: ada }])
      expect(JSON.stringify(await rowsOf('codes'))).not.toContain(code)
    })

    test('does not distinguish known from unknown addresses', async () => {
      expect(await attempt(await send())).toMatchObject({ type: 'in', isNewUser: true })
      const known = await send()
      const unknown = await send('new@example.com')
      const [, forKnown, forUnknown] = context.mails
      expect(forKnown?.text.replaceAll(known, '')).toBe(forUnknown?.text.replaceAll(unknown, ''))
      expect(await attempt(wrongFor(known), ada)).toEqual(await attempt(wrongFor(unknown), 'new@example.com'))
    })

    test('limits the sends per address across browsers', async () => {
      for (let sent = 0; sent < sendsPerWindow; sent += 1) await send(ada, `browser ${sent}`)
      await expect(send(ada, 'another browser')).rejects.toMatchObject(tooMany)
      expect(context.mails).toHaveLength(sendsPerWindow)
      expect(await send('new@example.com')).toBeTruthy()
      for (let sent = sendsPerWindow; sent < sendsPerDay; sent += 1) {
        if (sent % sendsPerWindow === 0) context.clock.advanceSeconds(guessWindowSeconds)
        await send()
      }
      context.clock.advanceSeconds(guessWindowSeconds)
      await expect(send()).rejects.toMatchObject(tooMany)
    })

    test('a refused resend leaves the mailed code valid', async () => {
      for (let sent = 0; sent < sendsPerWindow; sent += 1) await send()
      await expect(send()).rejects.toMatchObject(tooMany)
      expect(await attempt(newestCode())).toMatchObject({ type: 'in' })
    })

    test('reports a rejected mail, and refunds its quota', async () => {
      const works = mailer.get(context.ports)
      mailer.set(context.ports, { send: () => Promise.reject(new Error('421 later')) })
      for (let turn = 0; turn < 2 * sendsPerWindow; turn += 1) {
        const refused = { code: 'email_not_sent', cause: new Error('421 later') }
        await expect(send()).rejects.toMatchObject(refused)
      }
      mailer.set(context.ports, works)
      expect(await attempt(await send())).toMatchObject({ type: 'in' })
    })

    test('an app without e-mail login neither sends nor accepts codes', () => {
      const without = { ...app, config: { ...app.config, emailAuth: false } }
      expect(() => requireEmailLogin(without)).toThrow(
        expect.objectContaining({ code: 'disallowed_login_method' }),
      )
      expect(() => requireEmailLogin(app)).not.toThrow()
    })
  })

  describe('the code', () => {
    test('logs in, creating the user at the first login', async () => {
      const first = await attempt(await send())
      const second = await attempt(await send())
      if (first.type !== 'in' || second.type !== 'in') throw new Error('Both log in')
      expect(first.isNewUser).toBe(true)
      expect(second).toMatchObject({ isNewUser: false, userId: first.userId })
      expect(await requireUser(context.db, app.id, first.userId)).toMatchObject({
        linkedAccounts: [{ type: 'email', address: ada }],
        hasAcceptedTerms: false,
      })
      expect(await rowsOf('sessions')).toHaveLength(2)
    })

    test('is accepted once, even by concurrent calls', async () => {
      const code = await send()
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => attempt(code)))
      expect(outcomes.filter((outcome) => outcome.type === 'in')).toHaveLength(1)
      expect(await attempt(code)).toEqual({ type: 'wrong_code' })
    })

    // spec L9.23
    test('expires after ten minutes', async () => {
      const code = await send()
      context.clock.advanceSeconds(codeSeconds - 1)
      expect(await attempt(code)).toMatchObject({ type: 'in' })
      const late = await send()
      context.clock.advanceSeconds(codeSeconds)
      expect(await attempt(late)).toEqual({ type: 'wrong_code' })
    })

    test('is accepted only in the browser that requested it', async () => {
      const code = await send(ada, 'one')
      expect(await attempt(code, ada, 'two')).toEqual({ type: 'wrong_code' })
      expect(await attempt(code, ada, null)).toEqual({ type: 'wrong_code' })
      expect(await attempt(code, 'new@example.com', 'one')).toEqual({ type: 'wrong_code' })
      expect(await attempt(code, ada, 'one')).toMatchObject({ type: 'in' })
    })

    test('is invalid in another app', async () => {
      const code = await send()
      app = await testApp(context)
      expect(await attempt(code)).toEqual({ type: 'wrong_code' })
    })

    test('two browsers that first log in concurrently create one user', async () => {
      const codes = [await send(ada, 'one'), await send(ada, 'two'), await send(ada, 'three')]
      const outcomes = await Promise.all(
        ['one', 'two', 'three'].map((binding, index) => attempt(codes[index] ?? '', ada, binding)),
      )
      expect(outcomes.filter((outcome) => outcome.type === 'in' && outcome.isNewUser)).toHaveLength(1)
      expect(new Set(outcomes.map((outcome) => outcome.type === 'in' && outcome.userId)).size).toBe(1)
      expect(await rowsOf('users')).toHaveLength(1)
      expect(await rowsOf('linked_accounts')).toHaveLength(1)
    })
  })

  describe('guessing', () => {
    const guess = async (code: string, binding?: string | null, address = ada) => {
      try {
        return (await attempt(code, address, binding)).type
      } catch (error) {
        expect(error).toMatchObject(tooMany)
        return 'refused' as const
      }
    }

    // spec L9.23
    test('sixteen concurrent guesses count as five', async () => {
      const code = await send()
      const answers = await Promise.all(Array.from({ length: 16 }, () => guess(wrongFor(code))))
      expect(answers.filter((answer) => answer === 'wrong_code')).toHaveLength(5)
      expect(answers.filter((answer) => answer === 'refused')).toHaveLength(11)
      expect(await guess(code)).toBe('refused')
    })

    test('sixteen concurrent guesses of four browsers count as five', async () => {
      for (const turn of [0, 1, 2, 3]) await send(ada, `browser ${turn}`)
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) => guess('000000', `browser ${index % 4}`)),
      )
      expect(answers.filter((answer) => answer === 'refused')).toHaveLength(11)
    })

    test('a refusal contains the retry time, after which guesses are possible again', async () => {
      const code = await send()
      for (let turn = 0; turn < guessesPerWindow; turn += 1) await guess(wrongFor(code))
      await expect(attempt(code)).rejects.toMatchObject({
        retryAfterSeconds: 600,
      })
      context.clock.advanceSeconds(guessWindowSeconds)
      expect(await guess(wrongFor(code))).toBe('wrong_code')
    })

    // spec L9.23
    test('resends and other browsers give no more guesses, and a day allows twenty', async () => {
      let given = 0
      for (let round = 0; round < 6; round += 1) {
        const code = await send(ada, `browser ${round}`)
        for (let turn = 0; turn <= guessesPerWindow; turn += 1) {
          if ((await guess(wrongFor(code), `browser ${round}`)) === 'wrong_code') given += 1
          if (turn === 0) await send(ada, `browser ${round}`).catch(() => undefined)
        }
        context.clock.advanceSeconds(guessWindowSeconds)
      }
      expect(given).toBe(guessesPerDay)
    })

    test('the right code refunds its own guess only', async () => {
      await send(ada, 'stranger')
      const code = await send()
      for (let turn = 1; turn < guessesPerWindow; turn += 1) await guess(wrongFor(code))
      expect(await guess(code)).toBe('in')
      // That browser now has its own quota. Others have one guess left of the address's quota.
      expect(await guess('000000', 'stranger')).toBe('wrong_code')
      expect(await guess('000000', 'stranger')).toBe('refused')
    })

    test('a guess without a code can not win, and is not charged to the address', async () => {
      const code = await send(ada, 'asked')
      for (let turn = 0; turn < 4 * guessesPerWindow; turn += 1) {
        expect(await guess(code, `stranger ${turn}`)).toBe('wrong_code')
      }
      expect(await guess(wrongFor(code), 'asked')).toBe('wrong_code')
      expect(await guess(code, 'asked')).toBe('in')
    })

    test('a browser that had a session of the address can not be locked out', async () => {
      expect(await guess(await send(ada, 'own'), 'own')).toBe('in')
      await send(ada, 'stranger')
      for (let turn = 0; turn < 2 * guessesPerWindow; turn += 1) {
        await guess('000000', 'stranger')
        await send(ada, `stranger ${turn}`).catch(() => undefined)
      }
      expect(await guess('000000', 'stranger')).toBe('refused')
      expect(await guess(await send(ada, 'own'), 'own')).toBe('in')
      // Its own quota is limited as well.
      await send(ada, 'own')
      for (let turn = 0; turn < guessesPerWindow; turn += 1)
        expect(await guess('000000', 'own')).toBe('wrong_code')
      expect(await guess('000000', 'own')).toBe('refused')
    })

    test('a client without a binding never has its own quota', async () => {
      expect(await guess(await send(ada, null), null)).toBe('in')
      await send(ada, 'stranger')
      await send(ada, null)
      for (let turn = 0; turn < guessesPerWindow; turn += 1) await guess('000000', 'stranger')
      expect(await guess('000000', null)).toBe('refused')
    })
  })

  describe('restrictions', () => {
    test('an allowlist refuses others, and consumes the code', async () => {
      app = { ...app, config: { ...app.config, allowlistEnabled: true } }
      await context.db
        .insertInto('allowlist')
        .values({ app_id: app.id, type: 'email', identifier: ada })
        .execute()
      const eve = 'eve@example.com'
      const code = await send(eve)
      expect(await attempt(code, eve)).toEqual({ type: 'refused', code: 'allowlist_rejected' })
      expect(await attempt(code, eve)).toEqual({ type: 'wrong_code' })
      expect(await rowsOf('users')).toEqual([])
      expect(await attempt(await send())).toMatchObject({ type: 'in' })
    })

    test('a full app accepts existing users only, even in concurrent logins', async () => {
      await setFields(context.db, context.clock, app.id, [['max_users', 2]])
      app = { ...app, maxUsers: 2 }
      expect(await attempt(await send())).toMatchObject({ type: 'in' })
      const others = ['b@example.com', 'c@example.com', 'd@example.com']
      const codes = new Map<string, string>()
      for (const other of others) codes.set(other, await send(other))
      const outcomes = await Promise.all(others.map((other) => attempt(codes.get(other) ?? '', other)))
      expect(outcomes.filter((outcome) => outcome.type === 'in')).toHaveLength(1)
      expect(outcomes).toContainEqual({ type: 'refused', code: 'max_accounts_reached' })
      expect(await rowsOf('users')).toHaveLength(2)
      expect(await attempt(await send())).toMatchObject({ type: 'in', isNewUser: false })
    })
  })

  describe('linking', () => {
    const callerFor = async (userId: string) => {
      const grant = await context.transaction((trx) =>
        startSession(trx, context, { appId: app.id, userId }, by),
      )
      const { tokens } = await createGrantTokens(context.db, context, grant, provenKey)
      const caller = await context.verifyToken(tokens.token)
      if (!caller) throw new Error('The session is alive')
      return caller
    }
    const userWithoutEmail = async (id: string) => {
      await context.db
        .insertInto('users')
        .values({ id, app_id: app.id, created_at: 1, accepted_terms_at: null })
        .execute()
      return callerFor(id)
    }
    const linkWith = async (
      caller: Awaited<ReturnType<typeof callerFor>>,
      address: string,
      code?: string,
    ) => {
      const right = code ?? (await send(address))
      return context.transaction((trx) =>
        link(trx, context, caller, keyOf(address), { code: right, address: undefined }),
      )
    }

    test('links an address, and refuses a wrong code', async () => {
      const caller = await userWithoutEmail('usr_1')
      const code = await send()
      expect(await linkWith(caller, ada, wrongFor(code))).toEqual({ type: 'wrong_code' })
      expect(await linkWith(caller, ada, code)).toEqual({ type: 'linked', added: expect.any(String) })
      const { linkedAccounts } = await requireUser(context.db, app.id, 'usr_1')
      expect(linkedAccounts).toMatchObject([{ type: 'email', address: ada }])
      expect(await attempt(await send())).toMatchObject({ type: 'in', userId: 'usr_1' })
    })

    test('refuses a second address, even in concurrent calls', async () => {
      const caller = await userWithoutEmail('usr_1')
      const two = ['b@example.com', 'c@example.com']
      const codes = [await send(two[0]), await send(two[1])]
      const outcomes = await Promise.all(two.map((address, index) => linkWith(caller, address, codes[index])))
      expect(outcomes).toContainEqual({ type: 'linked', added: expect.any(String) })
      expect(outcomes).toContainEqual({ type: 'refused', code: 'cannot_link_more_of_type' })
      expect(await linkWith(caller, ada)).toEqual({ type: 'refused', code: 'cannot_link_more_of_type' })
    })

    test('verifies the user’s own address again, and links nothing after the session ended', async () => {
      await attempt(await send())
      const [account] = await rowsOf('linked_accounts')
      if (account === undefined || !('user_id' in account)) throw new Error('There is an account')
      const caller = await callerFor(account.user_id)
      context.clock.advanceSeconds(60)
      expect(await linkWith(caller, ada)).toEqual({ type: 'linked', again: true })
      expect(await rowsOf('linked_accounts')).toHaveLength(1)
      await logoutCaller(context, caller)
      await expect(linkWith(caller, ada)).rejects.toMatchObject({ code: 'missing_or_invalid_token' })
      const guess = { code: await send(), address: undefined, oldAddress: ada }
      const change = context.transaction((trx) => update(trx, context, caller, keyOf(), guess))
      await expect(change).rejects.toMatchObject({ code: 'missing_or_invalid_token' })
      const removal = context.transaction((trx) =>
        unlink(trx, context, caller, { type: 'email', identifier: ada }),
      )
      await expect(removal).rejects.toMatchObject({ code: 'missing_or_invalid_token' })
      expect(await rowsOf('linked_accounts')).toHaveLength(1)
    })

    test('refuses another user’s address', async () => {
      await attempt(await send())
      const caller = await userWithoutEmail('usr_1')
      expect(await linkWith(caller, ada)).toEqual({ type: 'refused', code: 'linked_to_another_user' })
    })

    test('a browser that linked the address can not be locked out, unlike a refused one', async () => {
      const linkFrom = async (userId: string, binding: string) => {
        const caller = await userWithoutEmail(userId)
        const code = await send(ada, binding)
        const guess = { code, address: undefined }
        return context.transaction((trx) => link(trx, context, caller, keyOf(ada, binding), guess))
      }
      expect(await linkFrom('usr_1', 'own')).toEqual({ type: 'linked', added: expect.any(String) })
      expect(await linkFrom('usr_2', 'refused')).toMatchObject({ type: 'refused' })
      await send(ada, 'stranger')
      for (let turn = 0; turn < guessesPerWindow; turn += 1) await attempt('000000', ada, 'stranger')
      const [own, refused] = [await send(ada, 'own'), await send(ada, 'refused')]
      await expect(attempt(refused, ada, 'refused')).rejects.toMatchObject(tooMany)
      expect(await attempt(own, ada, 'own')).toMatchObject({ type: 'in', userId: 'usr_1' })
    })

    test('a browser that changed to the address can not be locked out, unlike a refused one', async () => {
      const changeFrom = async (userId: string, oldAddress: string, binding: string) => {
        const caller = await userWithoutEmail(userId)
        await linkWith(caller, oldAddress)
        const guess = { code: await send(ada, binding), address: undefined, oldAddress }
        return context.transaction((trx) => update(trx, context, caller, keyOf(ada, binding), guess))
      }
      expect(await changeFrom('usr_1', 'b@example.com', 'own')).toMatchObject({
        type: 'linked',
        removed: { identifier: 'b@example.com' },
      })
      expect(await changeFrom('usr_2', 'c@example.com', 'refused')).toMatchObject({ type: 'refused' })
      await send(ada, 'stranger')
      for (let turn = 0; turn < guessesPerWindow; turn += 1) await attempt('000000', ada, 'stranger')
      const [own, refused] = [await send(ada, 'own'), await send(ada, 'refused')]
      await expect(attempt(refused, ada, 'refused')).rejects.toMatchObject(tooMany)
      expect(await attempt(own, ada, 'own')).toMatchObject({ type: 'in', userId: 'usr_1' })
    })

    test('counts guesses together with those of logins', async () => {
      const caller = await userWithoutEmail('usr_1')
      const code = await send()
      for (let turn = 0; turn < guessesPerWindow; turn += 1) await linkWith(caller, ada, wrongFor(code))
      await expect(linkWith(caller, ada, code)).rejects.toMatchObject(tooMany)
      await expect(attempt(code)).rejects.toMatchObject(tooMany)
    })
  })
})
