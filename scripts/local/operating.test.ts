/**
 * The commands of docs/operating.md that move, save and restore a whole database, as a shell runs them. A comment before
 * a block gives it a name; of the block only the places are others, of this machine.
 */

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
const appId = 'a'.repeat(25)

const blocks = new Map(
  [...page.matchAll(/^<!-- run: (\w+) -->\n+```(?:sh|sql)\n(.*?)^```$/gms)].map(
    ([, name = '', text = '']) => [name, text],
  ),
)

/** An empty database: PostgreSQL if available, otherwise a file. */
const postgresUrl = process.env.TEST_POSTGRES_URL
const documentedDatabase = 'postgres://latchkey@db.example/latchkey'

let folder = ''
const databases: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-operating-'))
  for (const place of ['var/lib/latchkey', 'etc/latchkey', 'media/safe', 'media/backups']) {
    mkdirSync(join(folder, place), { recursive: true })
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(async () => {
  for (const name of databases) await onServer(`drop database ${name}`)
})

async function onServer(statement: string, connectionString = postgresUrl): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function newDatabase(): Promise<string> {
  if (!postgresUrl) return join(folder, 'var/lib/moved/latchkey.sqlite')
  const name = `operating_${process.pid}_${databases.length}`
  await onServer(`create database ${name}`)
  databases.push(name)
  return Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href
}

const source = () => ({
  DATABASE_URL: join(folder, 'var/lib/latchkey/latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'etc/latchkey/master.key'),
})

async function shell(script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH = '' } = process.env
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME: folder, ...source(), ...environment }
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: root, env })
  return stdout
}

function block(name: string, database = ''): string {
  const text = blocks.get(name)
  if (text === undefined) throw new Error(`docs/operating.md has no block ${name}`)
  return text
    .replaceAll(/(?<=[\s:=])\/(?=(?:var|etc|media)\/)/g, `${folder}/`)
    .replaceAll(documentedDatabase, database)
}

/** A database as after the first start, with an app. */
const used = () =>
  shell(`npm run -s keys -- show
    npm run -s app -- create --id ${appId} --name Fieldnotes --origin https://app.example`)

test('the page has these blocks, and no other block has these commands', () => {
  expect([...blocks.keys()]).toEqual(['move', 'backup', 'restore', 'migrate', 'grants'])
  const others = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const moving = others.filter((text) => /npm run (copy|backup|restore|migrate -)/.test(text))
  expect(moving).toEqual(['move', 'backup', 'restore', 'migrate'].map((name) => blocks.get(name)))
})

test('a database is moved by the documented commands', async () => {
  await used()
  const said = await shell(block('move', await newDatabase()))
  expect(said).toMatch(/^apps +1 +1 +same/m)
  // The last command queries the new database.
  expect(said).toMatch(new RegExp(`^${appId} +development +Fieldnotes`, 'm'))
})

test('a database and its key are backed up and restored on another machine by the documented commands', async () => {
  await used()
  await shell(block('backup'))
  expect(existsSync(join(folder, 'media/backups/monday/manifest.json'))).toBe(true)
  const { DATABASE_URL, MASTER_KEY_FILE } = source()
  const key = readFileSync(MASTER_KEY_FILE, 'utf8')
  rmSync(dirname(DATABASE_URL), { recursive: true })
  rmSync(MASTER_KEY_FILE)
  const said = await shell(block('restore'))
  expect(said).toMatch(/^apps +1 +1 +same/m)
  expect(readFileSync(MASTER_KEY_FILE, 'utf8')).toBe(key)
  expect(statSync(MASTER_KEY_FILE).mode & 0o077).toBe(0)
  expect(await shell('npm run -s app -- list')).toContain('Fieldnotes')
})

test('tables are migrated by the documented commands, and a server needs only row permissions', async () => {
  const url = await newDatabase()
  const environment = { DATABASE_URL: url }
  const refused = shell('npm run -s app -- list', environment)
  if (postgresUrl) {
    await expect(refused).rejects.toThrow(
      /The database lacks \d+ migrations of this release, the first of them 0001-first-tables\.\nRun "latchkey migrate" first, or set MIGRATE_AT_START=true\./,
    )
  } else await refused
  expect(await shell(block('migrate'), environment)).toMatch(
    postgresUrl ? /^Done: \d+ migrations\.$/m : /^The tables are up to date\.$/m,
  )
  expect(await shell('npm run -s migrate -- --check', environment)).toBe('The tables are up to date.\n')
  if (!postgresUrl) return

  const role = `operating_${process.pid}`
  const asRole = Object.assign(new URL(url), { username: role, password: 'server' })
  await onServer(`create role ${role} login password 'server'`)
  try {
    for (const statement of blocks.get('grants')?.replaceAll('latchkey_server', role).split(';\n') ?? []) {
      if (statement !== '') await onServer(statement, url)
    }
    await shell(`npm run -s app -- create --id ${appId} --name Fieldnotes --origin https://app.example`, {
      DATABASE_URL: asRole.href,
    })
    await expect(onServer('create table more (id text)', asRole.href)).rejects.toThrow(/permission denied/)
  } finally {
    await onServer(`drop owned by ${role}`, url)
    await onServer(`drop role ${role}`)
  }
})
