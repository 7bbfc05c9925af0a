/** The operator's words of mails and texts, from the Admin API to the sent message. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { mailer } from '../../integrations/mail/mail.ts'
import { smsTexter } from '../../integrations/sms/sms.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createCommandContext } from '../../testing/context.ts'
import { type AdminFixture, adminFixture } from '../admin/testing/fixture.ts'
import { messagesCommand } from './command.ts'

const email = 'ada@example.com'
const template = {
  subject: 'Your key to {{app}}: {{code}}',
  heading: 'Hello from {{app}}',
  blocks: ['Type <b>this</b>:', '{{code}}'],
}
const noSubject = { subject: null, heading: null }

forDefaultEngine((database) => {
  let fixture: AdminFixture
  let path: (rest: string) => string
  beforeEach(async () => {
    fixture = await adminFixture(database())
    path = (rest) => `/apps/${fixture.app.id}/messages/${rest}`
  })
  const set = async (message: string, body: object) =>
    expect(await fixture.call('PUT', path(message), { body })).toMatchObject({ status: 200 })
  const sendCode = async (language: string) => {
    const headers = { 'accept-language': language }
    await fixture.browser.call('sendEmailCode', { body: { email }, headers })
    fixture.context.clock.advanceSeconds(60)
    const mail = fixture.context.mails.at(-1)
    if (!mail) throw new Error('Nothing was mailed')
    return mail
  }

  test('lists our words as templates until they are replaced', async () => {
    await set('login_code/ar', template)
    const { body } = await fixture.call('GET', `/apps/${fixture.app.id}/messages`)
    expect(new Set(body.data.map(({ kind }: { kind: string }) => kind)).size).toBe(4)
    expect(body.data.slice(0, 2)).toEqual([
      {
        kind: 'login_code',
        locale: 'en',
        is_own: false,
        subject: '{{code}} is your {{app}} code',
        heading: 'Your {{app}} code',
        blocks: ['Your {{app}} code is:', '{{code}}'],
        updated_at: null,
      },
      { kind: 'login_code', locale: 'ar', is_own: true, ...template, updated_at: '2026-01-01T00:00:05.000Z' },
    ])
  })

  test('sends a login code in the operator’s words and our fixed sentences, in that language only', async () => {
    const before = await sendCode('en')
    await set('login_code/ar', template)
    const mail = await sendCode('ar')
    const code = mail.subject.slice(-6)
    expect(mail.subject).toBe(`Your key to Fieldnotes: ${code}`)
    const lines = mail.text.trimEnd().split('\n\n')
    expect(lines.slice(0, 2)).toEqual(['Type <b>this</b>:', code])
    expect(lines).toHaveLength(5)
    expect(lines.at(-1)).toBe(`@dialog.localhost #${code}`)
    expect(mail.html).toContain('Hello from <bdi>Fieldnotes</bdi></h1>')
    expect(mail.html).toContain('Type &lt;b&gt;this&lt;/b&gt;:')
    expect(mail.html).toMatch(/<body class="page" dir="rtl"[\s\S]*<table [^>]*dir="rtl"/)
    expect((await sendCode('en')).text.replaceAll(/\d{6}/g, '')).toBe(before.text.replaceAll(/\d{6}/g, ''))
  })

  test('changes only the object that was read, and resets to our words', async () => {
    const read = await fixture.call('GET', path('login_code/en'))
    const ifMatch = { 'if-match': read.headers.get('etag') ?? '' }
    expect(
      await fixture.call('PUT', path('login_code/en'), { body: template, headers: ifMatch }),
    ).toMatchObject({
      status: 200,
      body: { is_own: true },
    })
    const outdated = { status: 412, body: { code: 'precondition_failed' } }
    expect(
      await fixture.call('PUT', path('login_code/en'), { body: template, headers: ifMatch }),
    ).toMatchObject(outdated)
    expect(await fixture.call('DELETE', path('login_code/en'), { headers: ifMatch })).toMatchObject(outdated)
    expect(await fixture.call('DELETE', path('login_code/en'))).toMatchObject({ body: { is_own: false } })
    expect((await fixture.call('GET', path('login_code/en'))).headers.get('etag')).toBe(ifMatch['if-match'])
    const audit = await fixture.call('GET', '/audit', {
      key: await fixture.newKey({ appId: fixture.app.id }),
    })
    expect(audit.body.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ event: 'setMessage', target: 'login_code' })]),
    )
  })

  test('refuses unknown messages, and words that are not allowed', async () => {
    for (const unknown of ['welcome/en', 'login_code/tlh', 'login_code/en_US']) {
      expect(await fixture.call('PUT', path(unknown), { body: template })).toMatchObject({
        body: { code: 'message_not_found' },
      })
    }
    const body = { ...template, blocks: ['{{code}}', 'See evil.example'] }
    for (const [method, rest] of [
      ['PUT', ''],
      ['POST', '/preview'],
    ] as const) {
      expect(await fixture.call(method, path(`login_code/en${rest}`), { body })).toMatchObject({
        status: 400,
        body: { code: 'link_not_allowed', path: 'blocks.1' },
      })
    }
  })

  test('previews each kind with the real renderer, and our fixed sentences', async () => {
    const preview = async (message: string, body: object) =>
      (await fixture.call('POST', path(`${message}/preview`), { body })).body
    expect(await preview('login_code/en', template)).toMatchObject({
      subject: 'Your key to Fieldnotes: 000000',
      heading: 'Hello from Fieldnotes',
      text: expect.stringContaining('@dialog.localhost #000000'),
      html: expect.stringContaining('>000000</p>'),
    })
    const confirmation = await preview('confirmation_code/en', template)
    for (const part of [confirmation.text, confirmation.html]) {
      expect(part).toContain('This code confirms what Fieldnotes asked for:')
      expect(part).toContain('Sign a message with your wallet.')
      expect(part).toContain('Enter it only on wallet.localhost:4000, and nowhere else.')
    }
    expect(
      await preview('confirmation_code_sms/en', { ...noSubject, blocks: ['{{code}} for {{app}}'] }),
    ).toEqual({
      subject: null,
      heading: null,
      html: null,
      text: expect.stringMatching(/^000000 for Fieldnotes\n[\s\S]*\n\n@wallet.localhost #000000$/),
    })
    expect((await preview('notice/en', { ...noSubject, blocks: ['Ask us in {{app}}.'] })).text).toMatch(
      /^There was a login to your Fieldnotes account[\s\S]*\n\nAsk us in Fieldnotes.\n$/,
    )
  })

  test('the command shows, replaces, lists and resets words, and refuses a link', async () => {
    const run = (...args: string[]) =>
      messagesCommand.run(fixture.app.id, args, fixture.context.db, createCommandContext(fixture.context))
    const folder = mkdtempSync(join(tmpdir(), 'messages-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const write = (name: string, value: object) => {
      writeFileSync(join(folder, name), JSON.stringify(value))
      return join(folder, name)
    }
    const shown = await run('show', 'login_code', 'en')
    expect(JSON.parse(shown.lines.join(''))).toMatchObject({ heading: 'Your {{app}} code' })
    expect(await run('set', 'login_code', 'en', write('words.json', template))).toMatchObject({
      type: 'done',
    })
    expect(await run('list')).toEqual({ type: 'done', lines: ['login_code  en'] })
    const refusal = await run(
      'set',
      'login_code',
      'en',
      write('link.json', { ...template, heading: 'a.example' }),
    )
    expect(refusal.type).toBe('refused')
    expect(refusal.lines[0]).toMatch(/^heading: .*link_not_allowed/)
    expect(await run('set', 'login_code', 'en', write('empty.json', {}))).toMatchObject({ type: 'refused' })
    expect(await run('set', 'login_code', 'de', 'x.json')).toMatchObject({ type: 'refused' })
    expect(await run('set', 'login_code', 'en')).toMatchObject({ type: 'misused' })
    await run('reset', 'login_code', 'en')
    expect(await run('list')).toEqual({ type: 'done', lines: [] })
  })

  describe('a test message', () => {
    const send = (message: string, body: object) => fixture.call('POST', path(`${message}/test`), { body })

    test('is marked, and the login refuses its code', async () => {
      expect(await send('login_code/en', { ...template, to: email })).toMatchObject({ status: 200 })
      const mail = fixture.context.mails.at(-1)
      expect(mail?.to).toBe(email)
      expect(mail?.subject).toBe('[Test] Your key to Fieldnotes: 000000')
      expect(mail?.text).toMatch(/^This is a test. The code in it does not work.\n\n/)
      expect(mail?.html).toMatch(/This is a test. The code in it does not work.<\/p>\n<h1 /)
      const login = { body: { email, code: '000000' } }
      expect(await fixture.browser.call('loginWithEmailCode', login)).toMatchObject({
        answer: { code: 'invalid_credentials' },
      })
    })

    test('is refused for an invalid address, without a provider, or if it is not accepted', async () => {
      expect(await send('login_code/en', { ...template, to: 'ada' })).toMatchObject({ body: { path: 'to' } })
      const sms = { ...noSubject, blocks: ['{{code}}'], to: '+12025550123' }
      expect(await send('confirmation_code_sms/en', sms)).toMatchObject({ body: { code: 'not_supported' } })
      mailer.set(fixture.context.ports, { send: () => Promise.reject(new Error('down')) })
      expect(await send('login_code/en', { ...template, to: email })).toMatchObject({
        status: 502,
        body: { code: 'message_not_sent' },
      })
    })

    test('goes by SMS, too', async () => {
      const texts: string[] = []
      smsTexter.set(fixture.context.ports, {
        async send({ e164, text }) {
          texts.push(`${e164} ${text}`)
          return { type: 'sent' }
        },
      })
      const sms = { ...noSubject, blocks: ['{{code}}'], to: '+1 2025550123' }
      expect(await send('confirmation_code_sms/en', sms)).toMatchObject({ status: 200 })
      expect(texts[0]).toMatch(/^\+12025550123 \[Test\] This is a test/)
    })

    test('is sent ten times an hour for each app', async () => {
      const body = { ...template, to: email }
      for (let count = 0; count < 10; count += 1) expect((await send('login_code/en', body)).status).toBe(200)
      expect(await send('login_code/en', body)).toMatchObject({ body: { code: 'too_many_requests' } })
      fixture.context.clock.advanceSeconds(3_600)
      expect((await send('login_code/en', body)).status).toBe(200)
    })

    test('needs apps:write', async () => {
      const key = await fixture.newKey({ scopes: ['apps:read'] })
      const body = { ...template, to: email }
      expect(await fixture.call('POST', path('login_code/en/test'), { body, key })).toMatchObject({
        status: 403,
      })
      expect(
        await fixture.call('POST', path('login_code/en/preview'), { body: template, key }),
      ).toMatchObject({ status: 200 })
    })
  })
})
