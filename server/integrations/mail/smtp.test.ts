import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test, vi } from 'vitest'
import { loginCodeMail } from '../../login/email/login-code.ts'
import { createSmtpMailer } from './smtp.ts'

type Taken = { from: string; to: readonly string[]; raw: string }

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0).reverse()) await close()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}

async function mailServer(refuses = false) {
  const taken: Taken[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: (_address, _session, answer) =>
      answer(refuses ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    onData: async (stream, { envelope }, answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(Buffer.from(chunk))
      taken.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString('utf8'),
      })
      answer()
    },
  })
  server.on('error', () => {})
  const port = await listening(server.server)
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { taken, smtpUrl: `smtp://127.0.0.1:${port}` }
}

const mailerTo = (smtpUrl: string) => {
  const mailer = createSmtpMailer({ smtpUrl, mailFrom: 'Latchkey <login@latchkey.localhost>' })
  closers.push(() => mailer.close())
  return mailer
}

const mail = loginCodeMail({
  to: 'ada@example.com',
  code: '482913',
  language: 'en',
  app: { name: 'Fëldnotes\r\nBcc: eve@example.com', logoUrl: 'data:image/png;base64,cGljdHVyZQ==' },
  dialogOrigin: 'https://dialog.example',
})

test('sends a mail with a text part, an HTML part, an inline image and headers against automatic replies', async () => {
  const { taken, smtpUrl } = await mailServer()
  await mailerTo(smtpUrl).send(mail)
  const [message] = taken
  expect(message).toMatchObject({ from: 'login@latchkey.localhost', to: ['ada@example.com'] })
  const parsed = await PostalMime.parse(message?.raw ?? '')
  expect(parsed.subject).toBe('482913 is your Fëldnotes Bcc: eve@example.com code')
  expect(parsed.to).toEqual([{ name: '', address: 'ada@example.com' }])
  expect(parsed.text?.trimEnd().split('\n').at(-1)).toBe('@dialog.example #482913')
  expect(parsed.html).toContain('482913')
  const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]))
  expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' })
  expect(headers.bcc).toBeUndefined()
  expect(parsed.attachments).toMatchObject([
    { contentId: '<logo>', mimeType: 'image/png', disposition: 'inline' },
  ])
})

test('sends many mails at once, each complete with its own code, recipient and message id', async () => {
  const { taken, smtpUrl } = await mailServer()
  const mailer = mailerTo(smtpUrl)
  const names = [
    'Fieldnotes',
    'Fëldnotes',
    '手帳',
    'A name that is so long that lines of it break here and there',
  ]
  const logos = [null, 'data:image/png;base64,cGljdHVyZQ==']
  for (const name of names) {
    for (const logoUrl of logos) {
      for (const [to, code] of [
        ['ada@example.com', '131316'],
        ['bob+x@example.com', '000000'],
        ['ümit@example.com', '987654'],
      ] as const) {
        const app = { name, logoUrl }
        const sent = loginCodeMail({ to, code, language: 'en', app, dialogOrigin: 'https://dialog.example' })
        await mailer.send(sent)
        const message = taken.at(-1)
        expect(message?.to).toEqual([to])
        const parsed = await PostalMime.parse(message?.raw ?? '')
        expect(parsed.subject).toBe(`${code} is your ${name} code`)
        expect(parsed.to?.[0]?.address).toBe(to)
        expect(parsed.text?.trimEnd()).toBe(sent.text.trimEnd())
        expect(parsed.html?.trimEnd()).toBe(sent.html.trimEnd())
        expect(parsed.attachments).toHaveLength(logoUrl === null ? 0 : 1)
        expect(Math.abs(Date.now() - new Date(parsed.date ?? 0).getTime())).toBeLessThan(60_000)
      }
    }
  }
  const ids = taken.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1])
  expect(new Set(ids).size).toBe(taken.length)
})

test('sends mails in Arabic unchanged, each with its own code', async () => {
  const { taken, smtpUrl } = await mailServer()
  const mailer = mailerTo(smtpUrl)
  for (const [to, code] of [
    ['ada@example.com', '131316'],
    ['bob@example.com', '000000'],
  ] as const) {
    const app = { name: 'Fieldnotes', logoUrl: null }
    const sent = loginCodeMail({ to, code, language: 'ar', app, dialogOrigin: 'https://dialog.example' })
    await mailer.send(sent)
    const parsed = await PostalMime.parse(taken.at(-1)?.raw ?? '')
    expect(parsed.subject).toBe(`${code} هو رمزك في Fieldnotes`)
    expect(parsed.to?.[0]?.address).toBe(to)
    expect(parsed.text?.trimEnd()).toBe(sent.text.trimEnd())
    expect(parsed.html?.trimEnd()).toBe(sent.html.trimEnd())
  }
})

test('an address can not add recipients or headers', async () => {
  const { taken, smtpUrl } = await mailServer()
  const mailer = mailerTo(smtpUrl)
  await mailer.send({ ...mail, to: 'ada@example.com,eve@example.com' }).catch(() => undefined)
  await mailer.send({ ...mail, to: 'ada@example.com\r\nBcc: eve@example.com' }).catch(() => undefined)
  for (const { to } of taken) expect(to).not.toContain('eve@example.com')
})

test('rejects if the mail server refuses the mail or is unreachable', async () => {
  const { smtpUrl } = await mailServer(true)
  await expect(mailerTo(smtpUrl).send(mail)).rejects.toThrow('No such mailbox')
  const unused = createServer()
  const port = await listening(unused)
  unused.close()
  await expect(mailerTo(`smtp://127.0.0.1:${port}`).send(mail)).rejects.toThrow('ECONNREFUSED')
})

test('rejects at the deadline if the mail server never responds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const silent = createServer(() => {})
  const port = await listening(silent)
  closers.push(() => new Promise<void>((resolve) => silent.close(() => resolve())))
  const sending = mailerTo(`smtp://127.0.0.1:${port}`).send(mail)
  const outcome = expect(sending).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  await outcome
})
