import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../kernel/db/database.ts'
import { countEvent } from '../../pages/analytics/counts.ts'
import { propose as proposeChange } from '../../platform/admin/proposals.ts'
import { withAdminTables } from '../../platform/admin/tables.ts'
import { appTool } from './app-tool.ts'
import { runCommand } from './command.ts'

const id = 'a'.repeat(25)
let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-app-tool-'))
  await run(['create', '--id', id, '--name', 'Fieldnotes', '--origin', 'http://localhost:8080'])
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(args: string[], environment: Readonly<Record<string, string>> = {}) {
  const printed: string[] = []
  const place = {
    DATABASE_URL: join(folder, 'data', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    LOADER_DIST: join(folder, 'loader', 'dist'),
  }
  const ran = await runCommand(appTool, args, { ...place, ...environment }, (line) => printed.push(line))
  return { ...ran, printed }
}
const settings = async () => JSON.parse((await run(['show', id, '--json'])).printed.join('\n')).config

describe('enable', () => {
  const google = { OAUTH_GOOGLE: 'client:secret' }

  it('enable all turns on fully configured methods and lists what the others need', async () => {
    const { ok, printed } = await run(['enable', id, 'all'], google)
    expect(ok).toBe(true)
    expect(printed).toContain('google     on')
    expect(printed).toContain('passkey    on')
    expect(printed).toContain('apple      needs the variable OAUTH_APPLE')
    expect(printed).toContain(
      'telegram   needs the variable TELEGRAM_BOTS and the setting telegram_auth_config',
    )
    expect(await settings()).toMatchObject({
      email_auth: true,
      google_oauth: true,
      passkey_auth: true,
      wallet_auth: true,
      apple_oauth: false,
      sms_auth: false,
      telegram_auth: false,
      farcaster_auth: false,
    })
  })

  it('enable turns on a named method only', async () => {
    expect((await run(['enable', id, 'passkey'])).printed).toEqual(['passkey    on'])
    expect(await settings()).toMatchObject({ passkey_auth: true, wallet_auth: false })
  })

  it('enable rejects a named method that lacks configuration, and changes nothing', async () => {
    expect(await run(['enable', id, 'passkey', 'google'])).toMatchObject({
      ok: false,
      why: 'google needs the variable OAUTH_GOOGLE: see docs/providers.md',
    })
    expect(await settings()).toMatchObject({ passkey_auth: false })
  })

  it('enable without a method lists them and changes nothing', async () => {
    const { printed } = await run(['enable', id], google)
    expect(printed).toContain('email      on')
    expect(printed).toContain('google     off')
    expect(await settings()).toMatchObject({ google_oauth: false })
  })

  it('enable lists the known methods for an unknown one', async () => {
    expect(await run(['enable', id, 'myspace'])).toMatchObject({
      ok: false,
      why: expect.stringContaining('There is no login method myspace. There are: email, sms'),
    })
  })
})

describe('snippet', () => {
  const build = () => {
    mkdirSync(join(folder, 'loader', 'dist'), { recursive: true })
    writeFileSync(join(folder, 'loader', 'dist', 'queue-stub.txt'), '<script>stub</script>\n')
    writeFileSync(join(folder, 'loader', 'dist', 'loader.js'), 'abc')
    writeFileSync(join(folder, 'loader', 'dist', 'latchkey.js'), 'abc')
  }
  const forPages = '<!-- For pages of http://localhost:8080 -->'

  it('snippet prints the tag of the latest loader, with the address of the server', async () => {
    build()
    const { printed } = await run(['snippet', id], { PORT: '5000' })
    expect(printed).toEqual([
      `<script src="http://dialog.localhost:5000/loader/v1/loader.js" data-app-id="${id}" defer></script>`,
      '',
      forPages,
    ])
  })

  it('snippet --pin prints the address and integrity of the current build', async () => {
    build()
    // The SHA-256 and SHA-384 of 'abc': https://www.di-mgt.com.au/sha_testvectors.html
    const hash = 'ungWv48Bz-pBQUDeXa4iI7'
    const integrity = 'sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn'
    const { printed } = await run(['snippet', id, '--pin'], { PORT: '5000' })
    expect(printed).toEqual([
      `<script src="http://dialog.localhost:5000/loader/${hash}/loader.js" integrity="${integrity}" crossorigin="anonymous" data-app-id="${id}" defer></script>`,
      '',
      forPages,
    ])
  })

  it('snippet with --queue prints the stub before a tag that loads asynchronously', async () => {
    build()
    const { printed } = await run(['snippet', id, '--queue'], { PORT: '5000' })
    expect(printed.slice(0, 2)).toEqual([
      '<script>stub</script>',
      `<script src="http://dialog.localhost:5000/loader/v1/loader.js" data-app-id="${id}" async></script>`,
    ])
  })

  it('snippet with --module prints an import, and with --pin the integrity of the module in an import map', async () => {
    build()
    const { printed } = await run(['snippet', id, '--module'], { PORT: '5000' })
    expect(printed.slice(0, -2)).toEqual([
      '<script type="module">',
      "  import { createLatchkey } from 'http://dialog.localhost:5000/loader/v1/latchkey.js'",
      '',
      `  const latchkey = createLatchkey({ appId: '${id}' })`,
      '</script>',
    ])
    const { printed: pinned } = await run(['snippet', id, '--module', '--pin'], { PORT: '5000' })
    const url = 'http://dialog.localhost:5000/loader/ungWv48Bz-pBQUDeXa4iI7/latchkey.js'
    const integrity = 'sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn'
    expect(pinned.slice(0, 3)).toEqual([
      `<script type="importmap">{ "integrity": { "${url}": "${integrity}" } }</script>`,
      '<script type="module">',
      `  import { createLatchkey } from '${url}'`,
    ])
  })

  it('snippet rejects --queue together with --module', async () => {
    build()
    expect(await run(['snippet', id, '--module', '--queue'])).toMatchObject({ ok: false })
  })

  it('snippet prints the command that allows a page if there is none', async () => {
    build()
    await run(['origins', id, 'remove', 'http://localhost:8080'])
    expect((await run(['snippet', id])).printed.at(-1)).toContain(`latchkey app origins ${id} add <origin`)
  })

  it('snippet rejects an unknown app and a missing build', async () => {
    build()
    expect(await run(['snippet', 'b'.repeat(25)])).toMatchObject({ ok: false })
    rmSync(join(folder, 'loader'), { recursive: true })
    expect(await run(['snippet', id])).toMatchObject({
      ok: false,
      why: expect.stringContaining('The loader is not built'),
    })
  })
})

describe('proposals', () => {
  /** Proposes the change of an operator with an admin key. */
  async function propose(): Promise<string> {
    const database = openDatabase(join(folder, 'data', 'latchkey.sqlite'))
    const sources = {
      clock: { nowMs: Date.now },
      support: { unbuiltSettings: () => [], ownOrigins: [] },
    }
    const change = { settings: { frame_messages_per_day: null } }
    const by = { operator: 'ada', callerId: null }
    const { id: proposal } = await database.transaction((trx) => proposeChange(trx, sources, id, change, by))
    await database.close()
    return proposal
  }

  it('proposals lists, shows, approves and cancels a proposal, and leaves audit entries', async () => {
    expect((await run(['proposals', id])).printed).toEqual(['There are no open proposals.'])
    const proposal = await propose()
    expect((await run(['proposals', id])).printed[1]).toContain(
      `${proposal}  proposed  frame_messages_per_day  ada`,
    )
    const shown = await run(['proposals', id, 'show', proposal])
    expect(JSON.parse(shown.printed.join('\n'))).toMatchObject({ settings: { frame_messages_per_day: null } })
    const approved = await run(['proposals', id, 'approve', proposal])
    expect(approved.printed[0]).toMatch(`Proposal ${proposal} is approved. It can be applied from `)
    expect(await run(['proposals', id, 'apply', proposal])).toMatchObject({
      ok: false,
      why: expect.stringContaining('It can be applied from '),
    })
    const cancelled = await run(['proposals', id, 'cancel', proposal, '--json'])
    expect(JSON.parse(cancelled.printed[0] ?? '')).toMatchObject({
      state: 'cancelled',
      approved: { operator: 'command' },
    })
    expect((await run(['proposals', id])).printed).toEqual(['There are no open proposals.'])
    const database = openDatabase(join(folder, 'data', 'latchkey.sqlite'))
    const entries = await withAdminTables(database.db)
      .selectFrom('admin_audit')
      .select(['actor', 'operation', 'target'])
      .orderBy('sequence')
      .execute()
    await database.close()
    expect(entries).toEqual([
      { actor: 'command', operation: 'proposal.approved', target: proposal },
      { actor: 'command', operation: 'proposal.cancelled', target: proposal },
    ])
  })

  it('proposals rejects an unknown proposal, app or action', async () => {
    for (const args of [
      ['proposals', id, 'show', 'prp_none'],
      ['proposals', id, 'approve', 'prp_none'],
      ['proposals', 'b'.repeat(25)],
      ['proposals', id, 'agree', 'prp_none'],
      ['proposals', id, 'approve'],
    ]) {
      expect([args, (await run(args)).ok]).toEqual([args, false])
    }
  })
})

describe('events', () => {
  const hour = (age: number) => Math.floor(Date.now() / 3_600_000 - age) * 3_600
  beforeEach(async () => {
    const database = openDatabase(join(folder, 'data', 'latchkey.sqlite'))
    const add = (age: number, event_name: string, method: string, slot: number) =>
      countEvent(database.db, { app_id: id, hour: hour(age), event_name, method, slot })
    await add(1, 'sdk_authenticate', 'email', 0)
    await add(1, 'sdk_authenticate', 'email', 1)
    await add(2, 'sdk_authenticate', 'email', 1)
    await add(2, 'sdk_authenticate', 'google', 1)
    await add(48, 'modal_open', '', 0)
    await add(24 * 8, 'modal_open', '', 0)
    await database.close()
  })

  it('events prints the counts of the last 7 days by event and method', async () => {
    expect((await run(['events', id])).printed).toEqual([
      'EVENT             METHOD  COUNT',
      'modal_open                1',
      'sdk_authenticate  email   3',
      'sdk_authenticate  google  1',
    ])
  })

  it('events --json prints an object for each hour', async () => {
    const { printed } = await run(['events', id, '--since', '12h', '--json'])
    const iso = (age: number) => new Date(hour(age) * 1_000).toISOString().replace('.000Z', 'Z')
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      { hour: iso(2), event: 'sdk_authenticate', method: 'email', count: 1 },
      { hour: iso(2), event: 'sdk_authenticate', method: 'google', count: 1 },
      { hour: iso(1), event: 'sdk_authenticate', method: 'email', count: 2 },
    ])
  })

  it('events reports a time without events, and rejects an unknown app or time', async () => {
    const { printed } = await run(['events', id, '--until', '30d'])
    expect(printed).toEqual(['There are no events in this time.'])
    expect(await run(['events', 'b'.repeat(25)])).toMatchObject({
      ok: false,
      why: expect.stringContaining('no app'),
    })
    expect(await run(['events', id, '--since', 'soon'])).toMatchObject({
      ok: false,
      why: expect.stringContaining('--since must be an age'),
    })
  })
})
