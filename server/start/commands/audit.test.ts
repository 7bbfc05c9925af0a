/** The audit log on the command line. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAudit } from '../../identity/audit/audit.ts'
import { openDatabase } from '../../kernel/db/database.ts'
import { appTool } from './app-tool.ts'
import { runCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-audit-'))
const environment = {
  DATABASE_URL: join(folder, 'data', 'latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
}
afterAll(() => rmSync(folder, { recursive: true }))

const [first, second] = ['a'.repeat(25), 'b'.repeat(25)] as const
const noon = Date.UTC(2026, 4, 1, 12) / 1_000

async function run(...args: string[]) {
  const printed: string[] = []
  const ran = await runCommand(appTool, ['audit', ...args], environment, (line) => printed.push(line))
  return { ...ran, printed }
}
const listEvents = async (...args: string[]) =>
  (await run('--json', ...args)).printed.map((line) => JSON.parse(line).event)

beforeAll(async () => {
  for (const id of [first, second]) {
    await runCommand(appTool, ['create', '--id', id, '--name', 'Fieldnotes'], environment, () => {})
  }
  const database = openDatabase(environment.DATABASE_URL)
  const entries = [
    { event: 'session.started', appId: first, userId: 'ada', hours: 0 },
    { event: 'wallet.created', appId: first, userId: 'ada', hours: 1 },
    { event: 'wallet.signed', appId: first, userId: 'ben', hours: 2 },
    { event: 'wallets_of_others.signed', appId: second, userId: 'eve', hours: 2 },
  ]
  for (const { hours, ...entry } of entries) {
    const clock = { nowMs: () => (noon + hours * 3_600) * 1_000 }
    await database.transaction((trx) =>
      recordAudit(trx, clock, { ...entry, sessionId: 'ses_1', details: { method: 'email' } }),
    )
  }
  // More than one page of entries.
  const clock = { nowMs: Date.now }
  await database.transaction(async (trx) => {
    for (let count = 0; count < 1_200; count += 1) {
      const entry = {
        event: 'user.created',
        appId: second,
        userId: `u${count}`,
        sessionId: null,
        details: {},
      }
      await recordAudit(trx, clock, entry)
    }
  })
  await database.close()
})

test('prints an entry as one JSON object per line, with its time in UTC', async () => {
  const { printed } = await run('--json', '--user', 'ben')
  expect(printed.map((line) => JSON.parse(line))).toEqual([
    {
      at: '2026-05-01T14:00:00Z',
      event: 'wallet.signed',
      app: first,
      user: 'ben',
      session: 'ses_1',
      details: { method: 'email' },
      place: expect.stringMatching(/^1777644000\.[\w-]+$/),
    },
  ])
})

test('prints an entry as a readable line', async () => {
  const { printed } = await run('--user', 'ben')
  expect(printed).toEqual([
    `2026-05-01T14:00:00Z  wallet.signed             ${first}  ben  ses_1  {"method":"email"}`,
  ])
})

test.each<[string[], string[]]>([
  [
    ['--app', first],
    ['wallet.signed', 'wallet.created', 'session.started'],
  ],
  [
    ['--app', first, '--user', 'ada'],
    ['wallet.created', 'session.started'],
  ],
  [
    ['--event', 'wallet'],
    ['wallet.signed', 'wallet.created'],
  ],
  [['--event', 'wallet.created'], ['wallet.created']],
  [
    ['--app', first, '--since', '2026-05-01T13:00Z'],
    ['wallet.signed', 'wallet.created'],
  ],
  [['--app', first, '--until', '2026-05-01T13:00Z'], ['session.started']],
  [
    ['--app', first, '--since', '2026-05-01', '--until', '2026-05-01T13:00:01Z'],
    ['wallet.created', 'session.started'],
  ],
  [['--app', second, '--event', 'wallets_of_others', '--since', '1h'], []],
])('%j prints the matching entries, newest first', async (args, events) => {
  expect(await listEvents(...args)).toEqual(events)
})

test('prints fifty entries by default, and the last line explains how to continue', async () => {
  const { printed } = await run('--app', second)
  expect(printed).toHaveLength(51)
  const [, place = ''] = /^There are older entries: add --before (\S+)$/.exec(printed.at(-1) ?? '') ?? []
  const next = await run('--app', second, '--before', place, '--limit', '1')
  const both = await run('--app', second, '--limit', '51')
  expect(next.printed[0]).toBe(both.printed[50])
})

test('reads large limits in pages without duplicates', async () => {
  const { printed } = await run('--json', '--app', second, '--limit', '100000')
  expect(new Set(printed).size).toBe(1_201)
  expect(printed).toHaveLength(1_201)
  expect(await listEvents('--app', second, '--limit', '1100')).toHaveLength(1_100)
})

test('reports an empty result to people, and prints nothing for programs', async () => {
  const filter = ['--user', 'ben', '--event', 'user.deleted']
  expect((await run(...filter)).printed).toEqual(['There are no such entries.'])
  expect((await run(...filter, '--json')).printed).toEqual([])
})

test.each<[string[], string]>([
  [['--since', 'yesterday'], '--since must be an age such as 30m, 12h or 7d, or a time'],
  [['--until', '2026-13-01'], '--until must be an age'],
  [['--limit', '0'], '--limit must be at least 1'],
  [['--limit', 'all'], '--limit must be a number'],
  [['--event', 'wallet.*'], '--event must be an event such as wallet.signed'],
  [['--before', 'the last'], '--before must be what an earlier page ended with'],
  [['--since', '1h', '--until', '2h'], '--until must be later than --since'],
  [['--app', 'c'.repeat(25)], 'There is no app'],
  [['--user', 'nobody'], 'No app has a user with the id nobody.'],
  [['--user', 'ada@example.com'], 'No app has a user with the e-mail address ada@example.com.'],
  [['--user', 'eve', '--app', first], 'has no user with the id eve.'],
  [['--nope'], "Unknown option '--nope'"],
  [['ada'], 'Unexpected argument'],
])('%j is rejected with an explanation', async (args, words) => {
  const { ok, printed, ...rest } = await run(...args)
  expect({ ok, printed }).toEqual({ ok: false, printed: [] })
  expect(rest).toMatchObject({ why: expect.stringContaining(words) })
})
