import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from './sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
})
afterAll(() => sandbox.stop())
beforeEach(() => setFault('none'))

const api = (path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`, init)
const json = async (path: string) => (await api(path)).json()

const setFault = (smtp: string) =>
  api('/api/faults', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ smtp }),
  })

type Conversation = {
  /** Reads the next complete reply. */
  reply: () => Promise<string>
  say: (text: string) => Promise<string>
  hangUp: () => void
}

/** Speaks SMTP line by line, so that tests can check each step. */
const call = (): Conversation => {
  const socket = connect(Number(new URL(sandbox.smtpUrl).port), '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const reply = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The server closed the connection')
    // '250-…' continues a reply, '250 …' ends it.
    return value[3] === '-' ? reply() : value
  }
  return {
    reply,
    say: (text) => {
      socket.write(`${text}\r\n`)
      return reply()
    },
    hangUp: () => socket.destroy(),
  }
}

const begin = async (talk: Conversation, to: string) => {
  await talk.reply()
  await talk.say('EHLO test.example')
  await talk.say('MAIL FROM:<app@example.com>')
  await talk.say(`RCPT TO:<${to}>`)
  await talk.say('DATA')
}

const sendMail = async (to: string, subject: string, body = 'Your code is 482913') => {
  const talk = call()
  await begin(talk, to)
  const answer = await talk.say(`Subject: ${subject}\r\n\r\n${body}\r\n.`)
  talk.hangUp()
  return answer
}

const mixed = [
  'From: Fieldnotes <no-reply@fieldnotes.example>',
  'To: someone.else@example.com',
  'Subject: =?utf-8?B?RMO8bmUgNDgyOTEz?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=b',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Code 482913',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Code <b>482913</b> <img src="cid:logo"></p><script>alert(1)</script>',
  '--a--',
  '--b',
  'Content-Type: image/png',
  'Content-ID: <logo>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--b--',
  '.',
].join('\r\n')

describe('mail', () => {
  test('is listed by envelope recipient, with text, HTML and decoded subject', async () => {
    const talk = call()
    await begin(talk, 'Real.Recipient@example.com')
    await talk.say(mixed)
    talk.hangUp()
    const { messages } = await json('/api/messages?to=real.recipient@example.com')
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      to: ['real.recipient@example.com'],
      from: 'app@example.com',
      subject: 'Düne 482913',
      text: 'Code 482913\n',
      attachments: [{ type: 'image/png', bytes: 8 }],
    })
    expect(messages[0].html).toContain('<b>482913</b>')
    expect(messages[0].html).toContain('src="data:image/png;base64,iVBORw0KGgo="')
    expect(await json(`/api/messages/${messages[0].id}`)).toEqual({ message: messages[0] })
    expect(await (await api(`/api/messages/${messages[0].id}/raw`)).text()).toContain('Content-ID: <logo>')
  })

  test('is shown as HTML only in an opaque origin without scripts', async () => {
    const talk = call()
    await begin(talk, 'html@example.com')
    await talk.say(mixed)
    talk.hangUp()
    const { message } = await json('/api/messages/next?to=html@example.com')
    const page = await api(`/api/messages/${message.id}/html`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox [^;]*; default-src 'none';/)
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
  })

  test('is rejected and not stored if it is too large', async () => {
    const answer = await sendMail('large@example.com', 'Large', `${'x'.repeat(76)}\r\n`.repeat(60_000))
    expect(answer).toMatch(/^552/)
    expect((await json('/api/messages?to=large@example.com')).messages).toEqual([])
  })
})

describe('long poll', () => {
  test('returns the next mail, with a cursor for the one after it', async () => {
    const waiting = json('/api/messages/next?to=poll@example.com&timeoutMs=10000')
    await sendMail('other@example.com', 'Not this one')
    await sendMail('poll@example.com', 'First')
    const first = await waiting
    expect(first.message.subject).toBe('First')
    const second = json(`/api/messages/next?to=poll@example.com&after=${first.cursor}&timeoutMs=10000`)
    await sendMail('poll@example.com', 'Second')
    expect((await second).message.subject).toBe('Second')
  })

  test('responds with 204 after its timeout', async () => {
    expect((await api('/api/messages/next?to=nobody@example.com&timeoutMs=1')).status).toBe(204)
  })

  test('rejects a cursor that is not a number', async () => {
    expect((await api('/api/messages/next?after=soon')).status).toBe(400)
  })
})

describe('event stream', () => {
  test('emits events for arrivals and deletions', async () => {
    const response = await api('/api/events')
    if (response.body === null) throw new Error('no stream')
    const lines = createInterface({ input: Readable.from(response.body) })[Symbol.asyncIterator]()
    const event = async (): Promise<string> => {
      const { value, done } = await lines.next()
      if (done) throw new Error('The stream ended')
      return value.startsWith('event: ') ? value.slice('event: '.length) : event()
    }
    expect(await event()).toBe('open')
    await sendMail('stream@example.com', 'Hello')
    expect(await event()).toBe('arrived')
    expect((await api('/api/messages', { method: 'DELETE' })).status).toBe(204)
    expect(await event()).toBe('cleared')
    expect((await json('/api/messages')).messages).toEqual([])
  })
})

describe('faults', () => {
  test('refuse rejects a new connection with a temporary code', async () => {
    await setFault('refuse')
    const talk = call()
    expect(await talk.reply()).toMatch(/^421/)
    talk.hangUp()
  })

  test('refuse affects a connection that is already open', async () => {
    const talk = call()
    await talk.reply()
    await talk.say('EHLO test.example')
    await setFault('refuse')
    expect(await talk.say('MAIL FROM:<app@example.com>')).toMatch(/^421/)
    talk.hangUp()
  })

  test('stall delays the reply until it ends, and then accepts the mail', async () => {
    const talk = call()
    await begin(talk, 'stalled@example.com')
    await setFault('stall')
    const accepted = talk.say('Subject: Late\r\n\r\nHello\r\n.')
    const early = await Promise.race([
      accepted,
      api('/api/messages/next?to=stalled@example.com&timeoutMs=300').then(({ status }) => status),
    ])
    expect(early).toBe(204)
    await setFault('none')
    expect(await accepted).toMatch(/^250/)
    expect((await json('/api/messages?to=stalled@example.com')).messages).toHaveLength(1)
    talk.hangUp()
  })

  test('an unknown fault is rejected and changes nothing', async () => {
    expect((await setFault('explode')).status).toBe(400)
    expect(await json('/api/faults')).toMatchObject({ smtp: 'none' })
  })

  test('an HTML form of another site cannot set a fault, because it cannot send JSON', async () => {
    const answer = await api('/api/faults', { method: 'POST', body: JSON.stringify({ smtp: 'refuse' }) })
    expect(answer.status).toBe(400)
    expect(await json('/api/faults')).toMatchObject({ smtp: 'none' })
  })
})

describe('page', () => {
  test('has a content security policy without inline content and other origins', async () => {
    const page = await api('/')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son[a-z]+=/)
  })

  test('is not served under a foreign host name', async () => {
    const status = await new Promise((resolve) => {
      const port = new URL(sandbox.httpUrl).port
      const call = request({
        host: '127.0.0.1',
        port,
        path: '/api/messages',
        headers: { host: 'evil.example' },
      })
      call.on('response', (response) => resolve(response.resume().statusCode)).end()
    })
    expect(status).toBe(421)
  })
})

describe('chain', () => {
  const rpc = async (method: string, params: readonly unknown[] = []) => {
    const answer = await fetch(sandbox.chainUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await answer.json()).result
  }

  test('is the development chain with funded accounts', async () => {
    expect(await rpc('eth_chainId')).toBe('0x7a69')
    const [account] = await rpc('eth_accounts')
    expect(BigInt(await rpc('eth_getBalance', [account, 'latest']))).toBeGreaterThan(0n)
  })
})

test('a port in use fails the start and leaves nothing running', async () => {
  const httpPort = Number(new URL(sandbox.httpUrl).port)
  const start = startSandbox({ host: '127.0.0.1', httpPort, smtpPort: 0, chainPort: 'off' })
  await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE', port: httpPort })
})

/** Resolves with 'connected' or the error code of the connection attempt. */
const tryConnect = (url: string): Promise<unknown> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', (error) => resolve('code' in error ? error.code : error))
  })

test('stop ends the chain and frees every port', async () => {
  const second = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
  await second.stop()
  for (const url of [second.httpUrl, second.smtpUrl, second.chainUrl ?? '']) {
    expect(await tryConnect(url)).toBe('ECONNREFUSED')
  }
})

test('killing the sandbox also ends its chain', async () => {
  const ports = ['--http-port', '0', '--smtp-port', '0', '--chain-port', '0']
  const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...ports], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chainUrl = await new Promise<string>((resolve) => {
    createInterface({ input: program.stdout }).on('line', (line) => {
      const url = /^Chain: (\S+)/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  expect(await tryConnect(chainUrl)).toBe('connected')
  program.kill('SIGKILL')
  await expect.poll(() => tryConnect(chainUrl), { timeout: 10_000 }).toBe('ECONNREFUSED')
})
