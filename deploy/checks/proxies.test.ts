/** Runs the examples of proxies with two servers, on Debian's programs. `PROXIES` is the folder with those programs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/local/ports.ts'

const programs = process.env.PROXIES ?? ''
const folder = mkdtempSync(join(tmpdir(), 'latchkey-proxies-'))
const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
const example = (name: string) => readFileSync(join(import.meta.dirname, '../proxies', name), 'utf8')

beforeAll(() => {
  const subject = [
    '-subj',
    '/CN=dialog.example',
    '-addext',
    'subjectAltName=DNS:dialog.example,DNS:wallet.example',
  ]
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', ...form, '-keyout', key, '-out', certificate, ...subject], {
    stdio: 'ignore',
  })
  writeFileSync(join(folder, 'latchkey.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  // nginx gives up root.
  chmodSync(folder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

type Upstream = { name: string; port: number; isReady: boolean; server: Server }

async function openUpstream(name: string, port = 0): Promise<Upstream> {
  const server = createServer((call, answer) => {
    if (call.url === '/readyz') answer.writeHead(upstream.isReady ? 200 : 503).end()
    else {
      const { host, 'x-forwarded-for': forwardedFor } = call.headers
      answer.end(JSON.stringify({ name, host, forwardedFor }))
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const upstream = { name, port: (server.address() as AddressInfo).port, isReady: true, server }
  return upstream
}

function closeUpstream({ server }: Upstream): Promise<unknown> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  return closed
}

type Proxy = {
  file: string
  write: (text: string) => string
  command: readonly string[]
  /** Caddy 2.6 of Debian cannot repeat a request with a body. */
  method: 'GET' | 'POST'
  asksReadiness: boolean
}
const proxies: Readonly<Record<string, Proxy>> = {
  Caddy: {
    file: 'Caddyfile',
    write: (text) =>
      text.replace(
        'dialog.example, wallet.example {',
        `{\nauto_https off\nadmin off\n}\nhttps://dialog.example:443, https://wallet.example:443 {\n\ttls ${certificate} ${key}`,
      ),
    command: ['usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config'],
    method: 'GET',
    asksReadiness: true,
  },
  HAProxy: {
    file: 'haproxy.cfg',
    write: (text) => text.replace('/etc/haproxy/certs', folder),
    command: ['usr/sbin/haproxy', '-db', '-f'],
    method: 'POST',
    asksReadiness: true,
  },
  nginx: {
    file: 'nginx.conf',
    write: (text) => `daemon off;
error_log stderr;
pid ${folder}/nginx.pid;
events {}
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${text.replaceAll('/etc/ssl/latchkey', folder)}
}`,
    command: ['usr/sbin/nginx', '-e', 'stderr', '-c'],
    method: 'POST',
    asksReadiness: false,
  },
}

describe.each(Object.entries(proxies))('%s', (_, { file, write, command, method, asksReadiness }) => {
  let proxy: ChildProcess
  let upstreams: [Upstream, Upstream]
  let port = 0
  let output = ''

  const call = (host: string, verb = 'GET') =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        servername: host,
        rejectUnauthorized: false,
        agent: false as const,
      }
      const outgoing = request({ ...options, method: verb, headers: { host }, timeout: 10_000 }, (answer) => {
        let body = ''
        answer.on('data', (data) => (body += data))
        answer.on('end', () => resolve({ status: answer.statusCode, body }))
      })
      outgoing.on('error', reject)
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 10 s')))
      outgoing.end(verb === 'POST' ? '{}' : undefined)
    })
  const namesOf = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, () => call('dialog.example', method)))
    expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(200))
    return new Set(answers.map(({ body }) => JSON.parse(body).name))
  }

  async function start() {
    upstreams = [await openUpstream('one'), await openUpstream('two')]
    port = await freePort()
    const text = write(example(file))
      .replaceAll(':4000', `:${upstreams[0].port}`)
      .replaceAll(':4001', `:${upstreams[1].port}`)
      .replaceAll(/(:|listen )443\b/g, `$1${port}`)
    const config = join(folder, file)
    writeFileSync(config, text)
    const [program = '', ...args] = command
    const home = join(folder, 'home')
    mkdirSync(home, { recursive: true })
    const libraries = globSync(join(programs, 'usr/lib/*-linux-gnu')).join(':')
    proxy = spawn(join(programs, program), [...args, config], {
      env: { HOME: home, LD_LIBRARY_PATH: libraries },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    proxy.stdout?.on('data', (data) => (output += data))
    proxy.stderr?.on('data', (data) => (output += data))
    const early = once(proxy, 'exit').then(() => {
      throw new Error(`The proxy ended:\n${output}`)
    })
    const ready = expect.poll(() => call('dialog.example').then(({ status }) => status, String)).toBe(200)
    await Promise.race([ready, early])
    early.catch(() => {})
  }
  afterEach(async () => {
    const isRunning = proxy.exitCode === null && proxy.signalCode === null
    if (isRunning) {
      proxy.kill('SIGKILL')
      await once(proxy, 'exit')
    }
    for (const upstream of upstreams) if (upstream.server.listening) await closeUpstream(upstream)
  })

  test('passes the host and adds the address of the client', async () => {
    await start()
    for (const host of ['dialog.example', 'wallet.example']) {
      const { status, body } = await call(host)
      expect([status, JSON.parse(body)]).toEqual([
        200,
        expect.objectContaining({ host, forwardedFor: '127.0.0.1' }),
      ])
    }
    await expect.poll(() => namesOf(10)).toEqual(new Set(['one', 'two']))
  })

  test('sends every request to the other server while one is down', async () => {
    await start()
    await closeUpstream(upstreams[0])
    for (let round = 0; round < 5; round += 1) expect(await namesOf(8)).toEqual(new Set(['two']))
    upstreams[0] = await openUpstream('one', upstreams[0].port)
    await expect.poll(() => namesOf(10)).toEqual(new Set(['one', 'two']))
  })

  test.runIf(asksReadiness)('leaves out a server that is not ready', async () => {
    await start()
    upstreams[0].isReady = false
    await expect.poll(() => namesOf(10)).toEqual(new Set(['two']))
    expect(await namesOf(10)).toEqual(new Set(['two']))
  })
})
