/** Tests the files of this folder with a real server, real calls and a real Prometheus. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testBrowser } from '../server/identity/sessions/testing/browser.ts'
import { writeBuiltPages } from '../server/testing/built-pages.ts'
import { freePort, programs } from '../server/testing/program.ts'

const { PROMETHEUS: prometheus = 'prometheus', PROMTOOL: promtool = 'promtool' } = process.env
const here = import.meta.dirname
const run = promisify(execFile)

describe('promtool', () => {
  test.each([
    ['the alert rules are valid', ['check', 'rules', 'alerts.yml'], '14 rules found'],
    ['each alert fires when it should, and not before', ['test', 'rules', 'alerts.test.yml'], 'SUCCESS'],
    ['the example configuration is valid', ['check', 'config', 'prometheus.yml'], 'SUCCESS'],
  ])('%s', async (_name, args, said) => {
    const { stdout, stderr } = await run(promtool, args, { cwd: here })
    expect(stdout + stderr).toContain(said)
  })

  test('each alert has a case in which it fires and one in which it does not', () => {
    const rules = readFileSync(join(here, 'alerts.yml'), 'utf8')
    const cases = readFileSync(join(here, 'alerts.test.yml'), 'utf8')
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const fires = new Set([...cases.matchAll(/alertname: (\w+)\n +exp_alerts:\n/g)].map(([, name]) => name))
    const silent = new Set([...cases.matchAll(/alertname: (\w+), exp_alerts: \[\]/g)].map(([, name]) => name))
    expect(alerts.filter((name) => !fires.has(name ?? '') || !silent.has(name ?? ''))).toEqual([])
  })
})

const answerSchema = v.object({
  status: v.literal('success'),
  data: v.object({
    result: v.array(
      v.object({ metric: v.record(v.string(), v.string()), value: v.tuple([v.number(), v.string()]) }),
    ),
  }),
})
const rulesSchema = v.object({
  data: v.object({
    groups: v.array(
      v.object({
        rules: v.array(v.object({ name: v.string(), health: v.string(), lastError: v.optional(v.string()) })),
      }),
    ),
  }),
})
const messageSchema = v.object({ message: v.object({ text: v.string() }) })

const appId = 'a'.repeat(25)
const email = 'ada.lovelace@example.com'
const phoneNumber = '+1 2025550123'

describe('a scraped server', () => {
  const { run: runProgram } = programs()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prometheus-'))
  const built = writeBuiltPages()
  const ending: (() => Promise<unknown>)[] = []
  let metricsUrl = ''
  let prometheusUrl = ''
  let serverLog = () => ''

  afterAll(async () => {
    for (const end of ending) await end()
    built.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  async function startServer() {
    const sandbox = runProgram(
      'sandbox/main.ts',
      ['--http-port', '0', '--smtp-port', '0', '--chain-port', 'off'],
      {},
    )
    await sandbox.says('SMTP:')
    const inbox = `127.0.0.1:${/sandbox\.localhost:(\d+)/.exec(sandbox.output())?.[1]}`
    const [port, metricsPort] = [await freePort(), await freePort()]
    const environment = {
      DATABASE_URL: join(folder, 'data', 'test.sqlite'),
      MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
      PORT: String(port),
      DIALOG_ORIGIN: `http://localhost:${port}`,
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      DIALOG_DIST: built.dialogDist,
      WALLET_DIST: built.walletDist,
      LOADER_DIST: built.loaderDist,
      SMTP_URL: /SMTP: +(\S+)/.exec(sandbox.output())?.[1] ?? '',
      TWILIO_VERIFY_URL: `http://AC${'0'.repeat(32)}:secret@${inbox}/v2/Services/VA${'1'.repeat(32)}`,
    }
    const command = (...args: readonly string[]) =>
      runProgram('server/start/commands/latchkey.ts', ['app', ...args], environment).ended
    await command('create', '--id', appId, '--name', 'Fieldnotes')
    await command('enable', appId, 'email', 'sms')
    const server = runProgram('server/start/main.ts', [], environment)
    await server.says('"listening"')
    serverLog = server.output
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    const config = {
      dialogOrigin: environment.DIALOG_ORIGIN,
      walletOrigin: `http://wallet.localhost:${port}`,
    }
    const context = { config, clock: { nowMs: Date.now }, mails: [] }
    const browser = testBrowser({ request: (url, request) => fetch(url, request) }, context, { id: appId })
    const codeSentTo = async (to: string) => {
      const query = new URLSearchParams({ to: to.replace(' ', ''), after: '0', timeoutMs: '10000' })
      const answer = await fetch(`http://${inbox}/api/messages/next?${query}`)
      return /\b\d{6}\b/.exec(v.parse(messageSchema, await answer.json()).message.text)?.[0] ?? ''
    }
    return { browser, codeSentTo, metricsPort }
  }

  async function startPrometheus(metricsPort: number) {
    const example = readFileSync(join(here, 'prometheus.yml'), 'utf8')
    const ours = example.replaceAll('15s', '1s').replaceAll('127.0.0.1:9464', `127.0.0.1:${metricsPort}`)
    expect(ours).toContain(`targets: ["127.0.0.1:${metricsPort}"]`)
    writeFileSync(join(folder, 'prometheus.yml'), ours)
    copyFileSync(join(here, 'alerts.yml'), join(folder, 'alerts.yml'))
    const port = await freePort()
    const child = spawn(
      prometheus,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'series')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    )
    ending.push(async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    process.once('exit', () => child.kill('SIGKILL'))
    await once(child, 'spawn')
    prometheusUrl = `http://127.0.0.1:${port}`
  }

  const asked = async (path: string): Promise<unknown> => (await fetch(prometheusUrl + path)).json()
  const query = async (expression: string) => {
    const { data } = v.parse(
      answerSchema,
      await asked(`/api/v1/query?${new URLSearchParams({ query: expression })}`),
    )
    return data.result
      .map(({ metric, value }) => ({ ...metric, value: Number(value[1]) }))
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }

  beforeAll(async () => {
    const { browser, codeSentTo, metricsPort } = await startServer()
    expect((await browser.call('sendEmailCode', { body: { email } })).status).toBe(200)
    const code = await codeSentTo(email)
    const wrong = code === '000000' ? '111111' : '000000'
    expect((await browser.call('loginWithEmailCode', { body: { email, code: wrong } })).status).toBe(422)
    expect((await browser.call('loginWithEmailCode', { body: { email, code } })).status).toBe(200)
    expect((await browser.call('sendSmsCode', { body: { phoneNumber } })).status).toBe(200)
    const body = { phoneNumber, code: await codeSentTo(phoneNumber) }
    expect((await browser.call('loginWithSmsCode', { body })).status).toBe(200)
    await startPrometheus(metricsPort)
    await vi.waitFor(async () => expect(await query('up{job="latchkey"}')).toMatchObject([{ value: 1 }]), {
      timeout: 20_000,
      interval: 200,
    })
  })

  test.each<[string, readonly object[]]>([
    [
      'latchkey_logins_total',
      [
        { method: 'email', outcome: 'invalid_credentials', value: 1 },
        { method: 'email', outcome: 'success', value: 1 },
        { method: 'sms', outcome: 'success', value: 1 },
      ],
    ],
    ['latchkey_codes_sent_total{channel="email"}', [{ purpose: 'email', outcome: 'accepted', value: 1 }]],
    ['latchkey_codes_checked_total{channel="sms"}', [{ purpose: 'sms', outcome: 'right', value: 1 }]],
    [
      'http_server_request_duration_seconds_count{http_route="/api/v1/passwordless/authenticate", http_response_status_code="422"}',
      [{ http_request_method: 'POST', url_scheme: 'http', value: 1 }],
    ],
    [
      'http_server_request_duration_seconds_bucket{http_route="/api/v1/passwordless/init", le="+Inf"}',
      [{ http_response_status_code: '200', value: 1 }],
    ],
    [
      'http_client_request_duration_seconds_count{server_address="twilio"}',
      [
        { http_request_method: 'POST', http_response_status_code: '200', value: 1 },
        { http_request_method: 'POST', http_response_status_code: '201', value: 1 },
      ],
    ],
    ['latchkey_mail_send_duration_seconds_count', [{ value: 1 }]],
    ['sum(db_client_operation_duration_seconds_count{db_system_name="sqlite"}) > bool 10', [{ value: 1 }]],
    ['latchkey_ready{check="database"}', [{ value: 1 }]],
    ['count(latchkey_key_age_seconds < 3600)', [{ value: 3 }]],
    ['target_info', [{ service_name: 'latchkey', job: 'latchkey', value: 1 }]],
    ['process_memory_usage_bytes > bool 1e7', [{ value: 1 }]],
  ])('exports %s with its labels', async (expression, expected) => {
    await expect.poll(() => query(expression)).toMatchObject(expected)
  })

  test('evaluates each alert without an error', async () => {
    const rules = async () =>
      v.parse(rulesSchema, await asked('/api/v1/rules')).data.groups.flatMap((group) => group.rules)
    await expect.poll(async () => (await rules()).map(({ health }) => health)).toEqual(Array(14).fill('ok'))
  })

  test('passes the metrics linter of promtool', async () => {
    const text = await (await fetch(metricsUrl)).text()
    const checked = run(promtool, ['check', 'metrics'])
    checked.child.stdin?.end(text)
    expect(await checked).toMatchObject({ stderr: '' })
  })

  test('exposes no personal data of a login in series or log lines', async () => {
    const text = (await (await fetch(metricsUrl)).text()) + serverLog()
    expect(text).toContain('"requestId"')
    expect(text).toContain(`"app":"${appId}"`)
    for (const secret of ['ada.lovelace', 'example.com', '2025550123', '5550123'])
      expect(text).not.toContain(secret)
  })
})
