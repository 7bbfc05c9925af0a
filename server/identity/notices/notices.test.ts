/** Notices for users without an e-mail address: by SMS, or at the next login. */

import * as OTPAuth from 'otpauth'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet, type TestWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { mailer } from '../../integrations/mail/mail.ts'
import { smsTexter, type TextResult } from '../../integrations/sms/sms.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { signedBy } from '../../login/siwe/testing/signed-by.ts'
import { browserWindow, navigation } from '../../login/window/testing/browser-window.ts'
import { setFields } from '../apps/manage.ts'
import { sessionAnswer, type TestBrowser, type TestSession } from '../sessions/testing/browser.ts'
import { notices as capability } from './capability.ts'
import { noticeTables } from './tables.ts'

const hour = 3_600
const day = 24 * hour
const number = '+1 2025550123'
const e164 = '+12025550123'
const noticesAnswer = v.object({
  notices: v.array(
    v.object({ id: v.string(), kind: v.string(), name: v.nullable(v.string()), at: v.number() }),
  ),
})

forDefaultEngine((database) => {
  let fixture: MfaFixture
  /** The sign-up account, a wallet, which has no e-mail address. */
  let first: TestWallet
  let session: TestSession
  let address: string
  const texts: { e164: string; text: string }[] = []
  let sending: TextResult

  beforeEach(async () => {
    fixture = await mfaFixture(database())
    chains.set(fixture.context.ports, createRpcChains(new Map()))
    await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [['wallet_auth', true]])
    fixture.context.clock.advanceSeconds(5)
    texts.length = 0
    sending = { type: 'sent' }
    first = createKeyWallet()
    session = (await logIn(first)).session
    address = await fixture.makeWallet(session)
    // Otherwise added methods would be as old as the user.
    fixture.context.clock.advanceSeconds(100 * hour)
    session = (await logIn(first)).session
  })

  async function logIn(wallet: TestWallet, from: TestBrowser = fixture.browser) {
    const body = await signedBy(wallet, from, fixture.context)
    const { status, answer } = await from.call('loginWithSiwe', { body })
    expect(status).toBe(200)
    const hasNotices: unknown = Object(answer).has_notices
    return { session: v.parse(sessionAnswer, answer), hasNotices, from }
  }
  type LoggedIn = Awaited<ReturnType<typeof logIn>>
  const elsewhere = (wallet = first) => logIn(wallet, fixture.newBrowser())

  const sendTexts = () =>
    smsTexter.set(fixture.context.ports, {
      async send(message) {
        if (sending.type === 'sent') texts.push(message)
        return sending
      },
    })
  const now = () => Math.floor(fixture.context.clock.nowMs() / 1_000)
  const accountOf = async () => {
    const row = await fixture.context.db
      .selectFrom('linked_accounts')
      .selectAll()
      .where('user_id', '=', session.user.id)
      .executeTakeFirstOrThrow()
    return row
  }
  /** Adds a phone number that was linked at the given time. */
  const addNumber = async (since = 1) => {
    const profile = JSON.stringify({ phoneNumber: number })
    const own = { id: 'number', type: 'phone', identifier: number, profile, first_verified_at: since }
    await fixture.context.db
      .insertInto('linked_accounts')
      .values({ ...(await accountOf()), ...own })
      .execute()
  }
  const addEmail = async (mail: string, since: number) => {
    const own = { id: mail, type: 'email', identifier: mail, profile: JSON.stringify({ address: mail }) }
    await fixture.context.db
      .insertInto('linked_accounts')
      .values({ ...(await accountOf()), ...own, first_verified_at: since })
      .execute()
  }
  const link = async (wallet = createKeyWallet(), of = session, from = fixture.browser) => {
    const body = await signedBy(wallet, from, fixture.context)
    expect(await from.call('linkWallet', { token: of.token, body })).toMatchObject({ status: 200 })
    return wallet
  }
  const recover = async (of = session, from = fixture.browser) => {
    const { call } = fixture.inOperation(of, { purpose: 'recover', address }, from)
    expect(await call('releaseShares')).toMatchObject({ status: 200 })
  }
  const enrolTotp = async () => {
    const call = fixture.inMfa(session)
    const totp = OTPAuth.URI.parse((await fixture.beginTotp(call)).totpAuthUrl)
    const code = totp.generate({ timestamp: fixture.context.clock.nowMs() })
    expect(await call('enrollTotp', { code })).toMatchObject({ status: 200 })
  }
  const noticesOf = async ({ session, from }: LoggedIn, headers: Readonly<Record<string, string>> = {}) => {
    const { answer } = await from.call('loginNotices', { token: session.token, headers })
    return v.parse(noticesAnswer, answer).notices
  }
  const answer = async ({ session, from }: LoggedIn, id: string, is_mine: boolean) =>
    from.call('answerNotice', { token: session.token, body: { id, is_mine } })
  const onlyNotice = async (login: LoggedIn) => {
    const [notice, ...more] = await noticesOf(login)
    if (!notice || more.length > 0) throw new Error('Expected exactly one notice')
    return notice
  }
  const isOver = async ({ session, from }: LoggedIn) =>
    (await from.call('me', { token: session.token })).status === 401
  const accounts = async () =>
    (await fixture.context.db.selectFrom('linked_accounts').select('identifier').execute())
      .map(({ identifier }) => identifier)
      .toSorted()

  describe('notices by SMS', () => {
    beforeEach(async () => {
      sendTexts()
      await addNumber()
    })

    test('sends a notice of a recovery on a new device, and shows none at the next login', async () => {
      await recover()
      expect(texts).toEqual([
        {
          e164,
          text: 'Your wallet was recovered on a new device in Fieldnotes. From now on it can be used there too, by anyone who is logged in there. If this was not you, someone else is using your account: move your assets to another wallet at once, log out everywhere, and contact Fieldnotes.',
        },
      ])
      expect((await elsewhere()).hasNotices).toBeUndefined()
    })

    test('sends a notice of a new login method with an undo link', async () => {
      const added = await link()
      expect(texts.map((text) => text.e164)).toEqual([e164])
      expect(texts[0]?.text).toContain(`The wallet ${added.address} was added on `)
      const [, path = ''] =
        /: http:\/\/dialog\.localhost:4000(\/take-back\/[\w-]{43})$/.exec(texts[0]?.text ?? '') ?? []
      const pressed = await browserWindow(fixture.server).open(path, {
        method: 'POST',
        headers: navigation,
      })
      expect(pressed.html).toContain('The change was undone')
      expect(await accounts()).not.toContain(added.address.toLowerCase())
    })

    test('sends a notice of a new second factor, also to a number that is only a second factor', async () => {
      await fixture.context.db.deleteFrom('linked_accounts').where('id', '=', 'number').execute()
      await fixture.context.db
        .insertInto('mfa_methods')
        .values({
          id: 'sms',
          app_id: fixture.app.id,
          user_id: session.user.id,
          method: 'sms',
          status: 'enrolled',
          secret: null,
          last_step: 0,
          phone_number: number,
          session_id: null,
          is_verified: 0,
          begun_at: 1,
          enrolled_at: 1,
          changed_at: null,
          expires_at: null,
        })
        .execute()
      await link()
      expect(texts.map((text) => text.e164)).toEqual([e164])
    })

    test('sends no SMS if a settled address accepted a mail', async () => {
      await addEmail('ada@example.com', 1)
      await recover()
      expect(fixture.context.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
      expect(texts).toEqual([])
    })

    test('also sends an SMS if the only address is new, because an attacker may have linked it', async () => {
      await addEmail('mallory@example.com', now())
      await recover()
      expect(fixture.context.mails.map(({ to }) => to)).toEqual(['mallory@example.com'])
      expect(texts.map((text) => text.e164)).toEqual([e164])
      await link()
      expect(fixture.context.mails.at(-1)?.text).not.toContain('take-back')
      expect(texts.at(-1)?.text).toContain('/take-back/')
    })

    test('sends an SMS if the mail was not accepted', async () => {
      await addEmail('ada@example.com', 1)
      mailer.set(fixture.context.ports, { send: () => Promise.reject(new Error('Refused')) })
      await recover()
      expect(texts.map((text) => text.e164)).toEqual([e164])
    })

    test('sends ten texts a day and shows further notices at the next login', async () => {
      for (let told = 0; told < 11; told += 1) await recover()
      expect(texts).toHaveLength(10)
      expect(await noticesOf(await elsewhere())).toHaveLength(1)
      fixture.context.clock.advanceSeconds(day)
      session = (await logIn(first)).session
      await recover()
      expect(texts).toHaveLength(11)
    })
  })

  describe('notices at the next login', () => {
    test('shows a recovery on every device except the one that did it, until it is answered', async () => {
      await recover()
      const at = now()
      for (let login = 0; login < 2; login += 1) {
        const other = await elsewhere()
        expect(other.hasNotices).toBe(true)
        expect(await onlyNotice(other)).toMatchObject({ kind: 'recovered', name: null, at })
      }
      const here: LoggedIn = { session, from: fixture.browser, hasNotices: undefined }
      expect(await noticesOf(here)).toEqual([])
      const other = await elsewhere()
      const { id } = await onlyNotice(other)
      // The session that made the change can not answer.
      expect(await answer(here, id, true)).toMatchObject({ answer: { outcome: 'acknowledged' } })
      expect(await noticesOf(other)).toHaveLength(1)
      expect(await answer(other, id, true)).toMatchObject({
        status: 200,
        answer: { outcome: 'acknowledged' },
      })
      const after = await elsewhere()
      expect(after.hasNotices).toBeUndefined()
      expect(await noticesOf(after)).toEqual([])
      expect(await isOver(here)).toBe(false)
    })

    test('ends every session, including the attacker’s, if the user denies a recovery', async () => {
      const accomplice = await elsewhere()
      await recover(accomplice.session, accomplice.from)
      const here = await logIn(first)
      const { id } = await onlyNotice(here)
      expect(await answer(here, id, false)).toMatchObject({ answer: { outcome: 'logged_out' } })
      expect([await isOver(accomplice), await isOver(here)]).toEqual([true, true])
      expect((await elsewhere()).hasNotices).toBeUndefined()
    })

    test('ends every session even if another device answered before', async () => {
      await recover()
      const [one, other] = [await elsewhere(), await elsewhere()]
      const { id } = await onlyNotice(one)
      await answer(one, id, true)
      expect(await answer(other, id, false)).toMatchObject({ answer: { outcome: 'logged_out' } })
      expect(await isOver(one)).toBe(true)
    })

    test('shows a new login method by its name, and removes it if the user denies it', async () => {
      const added = await link()
      fixture.context.clock.advanceSeconds(60)
      const accomplice = await elsewhere(added)
      const here = await elsewhere()
      const notice = await onlyNotice(here)
      expect(notice).toMatchObject({ kind: 'account', name: `The wallet ${added.address}` })
      expect(await answer(here, notice.id, false)).toMatchObject({ answer: { outcome: 'taken_back' } })
      expect(await accounts()).toEqual([first.address.toLowerCase()])
      expect([await isOver(accomplice), await isOver(here)]).toEqual([true, true])
    })

    test('shows a new second factor in the language of the dialog', async () => {
      await enrolTotp()
      const here = await elsewhere()
      expect(await onlyNotice(here)).toMatchObject({ kind: 'factor', name: 'An authenticator app' })
      const [arabic] = await noticesOf(here, { 'accept-language': 'ar' })
      expect(arabic?.name).toBe('التحقق بتطبيق المصادقة')
      expect(await answer(here, arabic?.id ?? '', false)).toMatchObject({
        answer: { outcome: 'taken_back' },
      })
      const { session: after, from } = await elsewhere()
      expect(await fixture.methodsOf(after, from)).toEqual([])
    })

    test('shows no notices to a login with a new method for 72 hours, and never about itself', async () => {
      const added = await link()
      fixture.context.clock.advanceSeconds(60)
      session = (await logIn(first)).session
      const accomplice = await elsewhere(added)
      await recover()
      expect(accomplice.hasNotices).toBeUndefined()
      expect(await noticesOf(accomplice)).toEqual([])
      expect(await noticesOf(await elsewhere())).toHaveLength(2)
      fixture.context.clock.advanceSeconds(72 * hour)
      const later = await elsewhere(added)
      expect((await noticesOf(later)).map(({ kind }) => kind)).toEqual(['recovered'])
      const [, kept] = await noticesOf(await elsewhere())
      expect(kept?.kind).toBe('recovered')
    })

    test('an account linked in the second of the sign-up receives no notice about itself', async () => {
      const newcomer = await logIn(createKeyWallet(), fixture.newBrowser())
      const added = await link(createKeyWallet(), newcomer.session, newcomer.from)
      const accomplice = await elsewhere(added)
      expect(accomplice.session.user.id).toBe(newcomer.session.user.id)
      expect(await noticesOf(accomplice)).toEqual([])
    })

    test('shows no notice about an account that was unlinked since', async () => {
      const added = await link()
      const body = { address: added.address }
      expect(await fixture.browser.call('unlinkWallet', { token: session.token, body })).toMatchObject({
        status: 200,
      })
      expect(await noticesOf(await elsewhere())).toEqual([])
    })

    test('shows the last ten notices, for a year', async () => {
      const times: number[] = []
      for (let told = 0; told < 11; told += 1) {
        await recover()
        times.push(now())
        fixture.context.clock.advanceSeconds(60)
      }
      const kept = await noticesOf(await elsewhere())
      expect(kept.map(({ at }) => at)).toEqual(times.slice(1))
      fixture.context.clock.advanceSeconds(365 * day)
      expect((await elsewhere()).hasNotices).toBeUndefined()
      await cleanUp(database(), fixture.context.clock, collectExpiryRules([capability]))
      expect(
        await noticeTables(fixture.context.db).selectFrom('login_notices').selectAll().execute(),
      ).toEqual([])
    })

    test('shows no notices of other users or of deleted users', async () => {
      await recover()
      const other = await elsewhere(createKeyWallet())
      expect(await noticesOf(other)).toEqual([])
      const { id } = await onlyNotice(await elsewhere())
      await answer(other, id, true)
      expect(await noticesOf(await elsewhere())).toHaveLength(1)
      const { call } = fixture.inOperation(session, { purpose: 'delete-account' })
      expect(await call('deleteAccount')).toMatchObject({ status: 200 })
      expect(
        await noticeTables(fixture.context.db).selectFrom('login_notices').selectAll().execute(),
      ).toEqual([])
    })

    test('stores no notice if a settled address accepted a mail', async () => {
      await addEmail('ada@example.com', 1)
      await recover()
      await link()
      expect((await elsewhere()).hasNotices).toBeUndefined()
    })
  })
})
