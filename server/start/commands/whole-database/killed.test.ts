/**
 * Kills copies, restores and backups before their first row and before their end. Afterwards the target is empty or
 * complete, and running the command again succeeds.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sumTable } from '../../../kernel/copy/rows.ts'
import { openStorage } from '../../../kernel/copy/storage.ts'
import { readSchema } from '../../../kernel/copy/tables.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { programs } from '../../../testing/program.ts'
import { bundleProgram } from '../../../testing/program-bundle.ts'
import { environmentIn, useDatabase } from '../testing/used-database.ts'

// Each kill runs a program.
vi.setConfig({ testTimeout: 120_000 })

let folder = ''
let environment: ReturnType<typeof environmentIn>
let path = ''
const { run, killAll } = programs()
const killedProgram = await bundleProgram('server/start/commands/testing/killed-program.ts')
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-killed-copy-'))
  environment = environmentIn(folder)
  path = join(folder, 'backups', 'monday')
  await useDatabase(environment, 20)
})
afterEach(async () => {
  await killAll()
  rmSync(folder, { recursive: true, force: true })
})

type Command = { args: readonly string[]; databaseUrl?: string }
const start = ({ args, databaseUrl = environment.DATABASE_URL }: Command, killedBefore: number) =>
  run(killedProgram, args, {
    ...environment,
    DATABASE_URL: databaseUrl,
    KILLED_BEFORE: String(killedBefore),
  })

async function rowsAt(url: string): Promise<number> {
  const storage = await openStorage(url, 'read')
  let rows = 0
  for (const table of (await readSchema(storage)).tables) rows += (await sumTable(storage.db, table)).rows
  await storage.close()
  return rows
}

/**
 * Kills the command before each of these effects, checks the target, and then runs it to completion. One effect on a
 * file precedes the first on a table.
 */
async function killBefore(effects: readonly number[], command: Command, afterKill: () => Promise<void>) {
  for (const effect of effects) {
    const { child, ended } = start(command, effect)
    await ended
    expect(child.signalCode).toBe('SIGKILL')
    await afterKill()
  }
  // The last of these effects is the last of the command.
  const last = Math.max(...effects)
  expect(await start(command, last + 1).ended).toMatchObject({ code: 0 })
}
const [firstTable, commit] = [2, 7]

forEachEngine((_database, _engine, url) => {
  const isEmpty = async () => expect(await rowsAt(url())).toBe(0)

  test('a killed copy has copied nothing and can be run again', async () => {
    const command = { args: ['copy', '--from', environment.DATABASE_URL, '--to', url()] }
    await killBefore([firstTable, commit], command, isEmpty)
    expect(await rowsAt(url())).toBe(await rowsAt(environment.DATABASE_URL))
  })

  test('a killed restore has restored nothing and can be run again', async () => {
    expect(await start({ args: ['backup', '--to', path] }, 0).ended).toMatchObject({ code: 0 })
    const command = { args: ['restore', '--from', path], databaseUrl: url() }
    await killBefore([firstTable, commit], command, isEmpty)
    expect(await rowsAt(url())).toBeGreaterThan(400)
  })
})

test('a killed backup leaves no backup and can be run again', async () => {
  const backups = () => readdirSync(join(folder, 'backups'))
  const [manifest, rename] = [2, 4]
  await killBefore([manifest, rename], { args: ['backup', '--to', path] }, async () => {
    for (const name of backups()) expect(name).toMatch(/^monday\.unfinished-[0-9a-f]{8}$/)
  })
  expect(backups()).toHaveLength(3)
  expect(backups()).toContain('monday')
  const restored = { args: ['restore', '--from', path], databaseUrl: join(folder, 'new', 'new.sqlite') }
  expect(await start(restored, 0).ended).toMatchObject({ code: 0 })
})
