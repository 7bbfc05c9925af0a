/** METRICS_ADDRESS and the trace collector, as an operator configures them. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeBuiltPages } from '../../testing/built-pages.ts'
import { freePort, programs } from '../../testing/program.ts'
import { bundleProgram } from '../../testing/program-bundle.ts'

vi.setConfig({ testTimeout: 60_000 })

const serverProgram = await bundleProgram('server/start/main.ts')

let folder = ''
const built = writeBuiltPages()
const { run, killAll } = programs()
afterAll(() => built.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-metrics-'))
})
afterEach(async () => {
  await killAll()
  rmSync(folder, { recursive: true, force: true })
})

const start = (environment: Readonly<Record<string, string>>, program = serverProgram) =>
  run(program, [], {
    DIALOG_ORIGIN: 'http://dialog.localhost:4000',
    DATABASE_URL: join(folder, 'data', 'test.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    DIALOG_DIST: built.dialogDist,
    WALLET_DIST: built.walletDist,
    LOADER_DIST: built.loaderDist,
    DRAIN_MS: '0',
    ...environment,
  })

async function startServer(environment: Readonly<Record<string, string>> = {}, program = serverProgram) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const address = { PORT: String(port), METRICS_ADDRESS: `127.0.0.1:${metricsPort}` }
  const server = start({ ...address, ...environment }, program)
  await server.says('"listening"')
  return { ...server, port, metricsPort, metrics: `http://127.0.0.1:${metricsPort}/metrics` }
}

test('serves metrics as text on their own address only, and nothing else there', async () => {
  const { port, metricsPort, metrics } = await startServer()
  const answer = await fetch(metrics)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toMatch(/^latchkey_ready\{check="database"\} 1$/m)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404)
  expect((await fetch(metrics, { method: 'POST' })).status).toBe(405)
  // A malformed URL must not end the process.
  expect((await fetch(`http://127.0.0.1:${metricsPort}//`)).status).toBe(404)
  expect((await fetch(metrics)).status).toBe(200)
})

test('a metric has the release and the commit in its labels', async () => {
  const { metrics } = await startServer({ SOURCE_COMMIT: 'c0ffee0' })
  expect(await (await fetch(metrics)).text()).toMatch(
    /^latchkey_build_info\{version="\d+\.\d+\.\d+",commit="c0ffee0"\} 1$/m,
  )
})

test('a draining server still serves metrics and reports that it is not ready', async () => {
  const { child, says, ended, metrics } = await startServer({ DRAIN_MS: '60000' })
  child.kill('SIGTERM')
  await says('"draining"')
  expect(await (await fetch(metrics)).text()).toMatch(/^latchkey_ready\{check="serving"\} 0$/m)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  await expect(fetch(metrics)).rejects.toThrow()
})

test('explains a metrics port in use, the public port and a malformed address', async () => {
  const { metricsPort } = await startServer()
  const port = await freePort()
  const startAndFail = async (address: string) => {
    const { code, output } = await start({ PORT: String(port), METRICS_ADDRESS: address }).ended
    // Log lines may precede or follow the reason.
    return [code, output.replace(/^\{.*\}\n/gm, '')]
  }
  const cannot = 'The server cannot start.\n'
  expect(await startAndFail(`127.0.0.1:${metricsPort}`)).toEqual([
    1,
    `${cannot}METRICS_ADDRESS 127.0.0.1:${metricsPort} is in use by another program.\n`,
  ])
  expect(await startAndFail(`127.0.0.1:${port}`)).toEqual([
    1,
    `${cannot}METRICS_ADDRESS must have another port than PORT, so that nobody outside reads your metrics\n`,
  ])
  expect(await startAndFail('9464')).toEqual([
    1,
    `${cannot}METRICS_ADDRESS must be <host>:<port>, such as 127.0.0.1:9464\n`,
  ])
})

test('loads OpenTelemetry only with METRICS_ADDRESS or a collector', async () => {
  const spy = join(folder, 'spy.mjs')
  writeFileSync(
    spy,
    `import { registerHooks } from 'node:module'
     registerHooks({ resolve(name, context, next) {
       if (name.startsWith('@opentelemetry/')) process.stdout.write('loads ' + name + '\\n')
       return next(name, context)
     } })`,
  )
  // The bundle contains the packages, so that nothing resolves their names.
  const sources = 'server/start/main.ts'
  const watched = { NODE_OPTIONS: `--import=${pathToFileURL(spy).href}` }
  const without = start({ PORT: String(await freePort()), ...watched }, sources)
  await without.says('"listening"')
  expect(without.output()).not.toContain('loads @opentelemetry')
  const traced = start(
    {
      PORT: String(await freePort()),
      DATABASE_URL: join(folder, 'other', 'test.sqlite'),
      MASTER_KEY_FILE: join(folder, 'other-keys', 'master.key'),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      ...watched,
    },
    sources,
  )
  await traced.says('"listening"')
  expect(traced.output()).toContain('loads @opentelemetry/exporter-trace-otlp-http')
  expect(traced.output()).not.toContain('loads @opentelemetry/exporter-prometheus')
  const third = { DATABASE_URL: join(folder, 'data', 'third.sqlite'), ...watched }
  const measured = await startServer(third, sources)
  expect(measured.output()).toContain('loads @opentelemetry/exporter-prometheus')
  expect(measured.output()).not.toContain('loads @opentelemetry/exporter-trace-otlp-http')
})

test('exports spans to the collector with the configured headers, at shutdown at the latest', async () => {
  const bodies: string[] = []
  const paths = new Set<string>()
  const keys = new Set<string | string[] | undefined>()
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    paths.add(`${request.method} ${request.url}`)
    keys.add(request.headers['x-key'])
    bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const server = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc',
    OTEL_SERVICE_NAME: 'login',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,team=a%20team',
  })
  await fetch(`http://127.0.0.1:${server.port}/.well-known/jwks.json?secret=in-the-query`)
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
  collector.close()
  const sent = bodies.join('\n')
  expect([...paths]).toEqual(['POST /v1/traces'])
  expect([...keys]).toEqual(['abc'])
  for (const text of ['GET /.well-known/jwks.json', '"login"', 'staging', 'a team'])
    expect(sent).toContain(text)
  for (const text of ['in-the-query', '127.0.0.1']) expect(sent).not.toContain(text)
})

test('an unreachable collector delays neither calls nor the shutdown, and is logged', async () => {
  const { port, child, says, ended, output } = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  })
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  await says('"OpenTelemetry failed"')
  // The failed export does not belong to the call of the first span.
  const line = output()
    .split('\n')
    .find((one) => one.includes('OpenTelemetry failed'))
  expect(JSON.parse(line ?? '')).toEqual({
    level: 40,
    time: expect.any(Number),
    why: 'ECONNREFUSED',
    msg: 'OpenTelemetry failed',
  })
  child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

test('exports nothing if the sampler drops everything', async () => {
  let calls = 0
  const collector = createServer((_, response) => {
    calls += 1
    response.writeHead(200).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  const server = await startServer({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/traces`,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  await fetch(`http://127.0.0.1:${server.port}/healthz`)
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)
  collector.close()
  expect(calls).toBe(0)
})
