/** Tests the undo link, with which a user reverts a login method that they did not add. */
import * as OTPAuth from 'otpauth'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { testPasskey } from '../../login/passkey/testing/authenticator.ts'
import { signedBy } from '../../login/siwe/testing/signed-by.ts'
import { browserWindow, navigation } from '../../login/window/testing/browser-window.ts'
import { type MfaFixture, mfaFixture } from '../verification/testing/fixture.ts'

const hour = 3_600
const mine = 'ada@example.com'
const theirs = 'mallory@example.com'

forDefaultEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  const wallet = createKeyWallet()
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    chains.set(fixture.context.ports, createRpcChains(new Map()))
    await set('wallet_auth', true)
    session = await fixture.browser.login(mine)
    fixture.context.clock.advanceSeconds(60)
  })

  const set = async (name: string, value: unknown) => {
    await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [[name, value]])
    fixture.context.clock.advanceSeconds(5)
  }
  const link = async (of = session, added = wallet) => {
    const body = await signedBy(added, fixture.browser, fixture.context)
    expect(await fixture.browser.call('linkWallet', { token: of.token, body })).toMatchObject({
      status: 200,
    })
  }
  const unlinkMine = () =>
    fixture.browser.call('unlinkEmail', { token: session.token, body: { address: mine } })
  const update = async () => {
    const body = { oldAddress: mine, newAddress: theirs, code: await fixture.browser.codeFor(theirs) }
    expect(await fixture.browser.call('updateEmail', { token: session.token, body })).toMatchObject({
      status: 200,
    })
  }
  const accounts = async () => {
    const rows = await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()
    return rows.map(({ type, identifier }) => `${type} ${identifier}`).toSorted()
  }
  const walletRow = `wallet ${wallet.address.toLowerCase()}`
  const isOver = async (of = session, from = fixture.browser) =>
    (await from.call('me', { token: of.token })).status === 401

  /** Returns the path of the link in a mail. */
  const linkIn = (text = '') => /^http:\/\/dialog\.localhost:4000(\/take-back\/[\w-]{43})$/m.exec(text)?.[1]
  const lastMail = (to = mine) => fixture.context.mails.filter((mail) => mail.to === to).at(-1)
  const lastLink = (to = mine) => {
    const path = linkIn(lastMail(to)?.text)
    if (path === undefined) throw new Error(`No link: ${lastMail(to)?.text}`)
    return path
  }
  const look = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    browserWindow(fixture.server).open(path, { headers })
  const press = (path: string, headers: Readonly<Record<string, string>> = navigation) =>
    browserWindow(fixture.server).open(path, { method: 'POST', headers })
  const titleOf = ({ html }: { html: string }) => /<h1>(.*)<\/h1>/.exec(html)?.[1]
  const takenBack = { status: 200, title: 'The change was undone' }
  const pressed = async (path: string) => {
    const answer = await press(path)
    return { status: answer.status, title: titleOf(answer) }
  }

  describe('the undo link of an added login method', () => {
    test('mails the link to the previous address, with the added method, time and place', async () => {
      await link()
      expect(fixture.context.mails.filter(({ subject }) => subject.startsWith('A way')).length).toBe(1)
      const mail = lastMail()
      expect(mail?.subject).toBe('A way to log in was added to your Fieldnotes account')
      expect(mail?.text).toContain(
        `The wallet ${wallet.address} was added on January 1, 2026 at 12:01 AM UTC. From now on, anyone who has it can log in as you.`,
      )
      const path = lastLink()
      expect(mail?.html).toContain(`href="http://dialog.localhost:4000${path}"`)
      expect(mail?.text).toContain('Undo this, and log out everywhere:')
    })

    test('changes nothing when it is opened, however often', async () => {
      await link()
      for (const headers of [{}, navigation]) {
        const opened = await look(lastLink(), headers)
        expect(opened.status).toBe(200)
        expect(titleOf(opened)).toBe('Was this not you?')
        expect(opened.html).toContain(`Added: The wallet ${wallet.address}`)
        expect(opened.html).toContain('<form method="post"><button>Undo the change</button></form>')
        expect(opened.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect(opened.headers.get('cache-control')).toBe('no-store')
        expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
      }
      expect(await accounts()).toContain(walletRow)
      expect(await isOver()).toBe(false)
    })

    test('unlinks the account and ends every session when its button is pressed, once', async () => {
      await link()
      const path = lastLink()
      const elsewhere = fixture.newBrowser()
      const { answer } = await elsewhere.call('loginWithSiwe', {
        body: await signedBy(wallet, elsewhere, fixture.context),
      })
      const accomplice = v.parse(sessionAnswer, answer)
      expect(await isOver(accomplice, elsewhere)).toBe(false)
      // A page of another site, and a program that is not a page.
      for (const headers of [{ ...navigation, 'sec-fetch-site': 'cross-site' }, {}]) {
        expect((await press(path, headers)).status).toBe(403)
      }
      expect(await accounts()).toContain(walletRow)
      expect(await pressed(path)).toEqual(takenBack)
      expect(await accounts()).toEqual([`email ${mine}`])
      expect([await isOver(), await isOver(accomplice, elsewhere)]).toEqual([true, true])

      session = await fixture.browser.login(mine)
      await link()
      expect(await pressed(path)).toEqual({ status: 404, title: 'This link is no longer valid' })
      expect((await look(path)).status).toBe(404)
      expect(await accounts()).toContain(walletRow)
      expect(await isOver()).toBe(false)
    })

    test.each([
      [72, 72],
      [0, 72],
      [240, 240],
    ])('with new_method_hours=%i is valid for %i hours', async (hours, good) => {
      await set('new_method_hours', hours)
      await link()
      const path = lastLink()
      fixture.context.clock.advanceSeconds(good * hour - 1)
      expect((await look(path)).status).toBe(200)
      fixture.context.clock.advanceSeconds(1)
      expect((await look(path)).status).toBe(404)
      expect((await press(path)).status).toBe(404)
    })

    test('is stored as a hash', async () => {
      await link()
      const rows = await database()
        .db.withTables<{ take_backs: { secret_hash: string; change: string } }>()
        .selectFrom('take_backs')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(lastLink().slice('/take-back/'.length))
    })

    test('is not sent to a new address, which is notified nevertheless', async () => {
      const body = { email: theirs, code: await fixture.browser.codeFor(theirs) }
      await fixture.context.db
        .updateTable('linked_accounts')
        .set({ type: 'phone', identifier: '+1 2025550123', profile: '{"phoneNumber":"+1 2025550123"}' })
        .execute()
      expect(await fixture.browser.call('linkEmail', { token: session.token, body })).toMatchObject({
        status: 200,
      })
      await link()
      expect(lastMail(theirs)?.subject).toBe('A way to log in was added to your Fieldnotes account')
      expect(lastMail(theirs)?.text).not.toContain('take-back')
      fixture.context.clock.advanceSeconds(72 * hour)
      session = await fixture.browser.login(theirs)
      await link(session, createKeyWallet())
      expect(linkIn(lastMail(theirs)?.text)).toMatch(/^\/take-back\//)
    })

    test('removes a passkey together with the second factor that only it verified', async () => {
      const passkey = testPasskey()
      const optionsAnswer = v.object({
        options: v.looseObject({ challenge: v.string(), user: v.looseObject({ id: v.string() }) }),
      })
      const begun = await fixture.browser.call('beginPasskeyLink', { token: session.token })
      const { challenge, user } = v.parse(optionsAnswer, begun.answer).options
      const authenticator_response = passkey.make(user.id, {
        challenge,
        origin: 'http://dialog.localhost:4000',
        crossOrigin: true,
        topOrigin: 'http://demo.localhost:4010',
        rpId: 'dialog.localhost',
      })
      const body = { relying_party: 'dialog.localhost', authenticator_response }
      expect(await fixture.browser.call('linkPasskey', { token: session.token, body })).toMatchObject({
        status: 200,
      })
      const path = lastLink()
      expect(lastMail()?.text).toContain('A passkey was added on ')
      const call = fixture.inMfa(session)
      expect(await call('enrollPasskeys', { credential_ids: [passkey.credentialId] })).toMatchObject({
        status: 200,
      })
      expect(await pressed(path)).toEqual(takenBack)
      expect(await accounts()).toEqual([`email ${mine}`])
      session = await fixture.browser.login(mine)
      expect(await fixture.methodsOf(session)).toEqual([])
      // Nothing is left, so another user can use the same passkey.
      const left = await database()
        .db.withTables<{ passkeys: { credential_id: string } }>()
        .selectFrom('passkeys')
        .selectAll()
        .execute()
      expect(left).toEqual([])
    })
  })

  describe('a replaced address', () => {
    test('is restored with its old timestamp by the link that was sent to it, and the new one is removed', async () => {
      const [before] = await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()
      await update()
      expect(await accounts()).toEqual([`email ${theirs}`])
      expect(lastMail()?.subject).toBe('This address was removed from your Fieldnotes account')
      expect(lastMail(theirs)?.text).not.toContain('take-back')
      const opened = await look(lastLink())
      expect(opened.html).toContain(`Added: The e-mail address ${theirs}`)
      expect(opened.html).toContain(`Removed: The e-mail address ${mine}`)
      expect(await pressed(lastLink())).toEqual(takenBack)
      expect(await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()).toEqual([before])
      const back = await fixture.browser.login(mine)
      expect(back.user.id).toBe(session.user.id)
    })

    test('stays removed if another user logs in with it by now', async () => {
      await update()
      const path = lastLink()
      const elsewhere = fixture.newBrowser()
      const other = await elsewhere.login(mine)
      expect(other.user.id).not.toBe(session.user.id)
      expect(await pressed(path)).toEqual({ status: 200, title: 'This address is in use' })
      expect(await accounts()).toEqual([`email ${mine}`, `email ${theirs}`])
      expect([await isOver(), await isOver(other, elsewhere)]).toEqual([true, false])
    })
  })

  test('the last login method stays until the undo link of an unlinked address restored that address', async () => {
    await link()
    const added = lastLink()
    expect(await unlinkMine()).toMatchObject({ status: 200 })
    const removed = lastLink()
    expect(removed).not.toBe(added)
    expect((await look(added)).html).toContain('so this button cannot undo the change yet.')
    expect((await look(removed)).html).toContain(
      'This undoes the change and logs the account out everywhere.',
    )
    const waits = await press(added)
    expect({ status: waits.status, title: titleOf(waits) }).toEqual({
      status: 200,
      title: 'There is no other way to log in',
    })
    expect(waits.html).toContain('Then open this link again and press its button again.')
    expect(await accounts()).toEqual([walletRow])
    expect(await isOver()).toBe(true)
    expect(await pressed(removed)).toEqual(takenBack)
    expect(await accounts()).toEqual([`email ${mine}`, walletRow])
    expect((await look(added)).html).toContain('This undoes the change')
    expect(await pressed(added)).toEqual(takenBack)
    expect(await accounts()).toEqual([`email ${mine}`])
  })

  test('notifies about an added second factor with an undo link', async () => {
    const call = fixture.inMfa(session)
    const totp = OTPAuth.URI.parse((await fixture.beginTotp(call)).totpAuthUrl)
    const code = totp.generate({ timestamp: fixture.context.clock.nowMs() })
    expect(await call('enrollTotp', { code })).toMatchObject({ status: 200 })
    expect(await fixture.methodsOf(session)).toMatchObject([{ type: 'totp' }])
    expect(lastMail()?.subject).toBe('An authenticator app was added to your Fieldnotes account')
    expect(lastMail()?.text).toContain('That was on January 1, 2026 at 12:01 AM UTC.')
    expect((await look(lastLink())).html).toContain('Added: An authenticator app')
    expect(await pressed(lastLink())).toEqual(takenBack)
    expect(await isOver()).toBe(true)
    session = await fixture.browser.login(mine)
    expect(await fixture.methodsOf(session)).toEqual([])
  })

  test('renders the page and the mail in Arabic for users with that language', async () => {
    const headers = { 'accept-language': 'ar' }
    const body = await signedBy(wallet, fixture.browser, fixture.context)
    await fixture.browser.call('linkWallet', { token: session.token, body, headers })
    expect(lastMail()?.text).toContain('التراجع عن ذلك وتسجيل الخروج من كل مكان:')
    const opened = await look(lastLink(), headers)
    expect(opened.html).toContain('<html lang="ar" dir="rtl">')
    expect(titleOf(opened)).toBe('ألم تكن أنت من فعل ذلك؟')
  })

  test('deletes the link with the user', async () => {
    await link()
    const path = lastLink()
    const { call } = fixture.inOperation(session, { purpose: 'delete-account' })
    expect(await call('deleteAccount')).toMatchObject({ status: 200 })
    expect((await look(path)).status).toBe(404)
  })
})
