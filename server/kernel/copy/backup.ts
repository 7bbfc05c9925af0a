/**
 * The backup format, a folder that both engines can be restored from:
 *
 *     manifest.json             the content, with the hash of each file
 *     manifest.mac              a MAC of the manifest under the master key
 *     tables/<table>.jsonl.gz   one row per line, as a JSON array in column order
 *     keys/                     copies of the key files, if the operator asked for them
 *
 * The folder is written under a temporary name and renamed after everything is synced to disk.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { product } from '@latchkey/protocol'
import * as v from 'valibot'
import { syncFolder } from '../files.ts'
import type { Db } from '../ports.ts'
import type { Progress, Source } from './fill.ts'
import { copyLimits } from './limits.ts'
import { CopyRefusal } from './refusal.ts'
import { createSum, parseRow, type Row, readBatches, serializeRow } from './rows.ts'
import type { Table } from './tables.ts'

const FORMAT = `${product.key} backup`
const VERSION = 1

const manifestFile = 'manifest.json'
const macFile = 'manifest.mac'
const keyFolder = 'keys'
export const masterKeyCopy = join(keyFolder, 'master.key')
export const recoveryKeyCopy = join(keyFolder, 'recovery.key')
const tablePath = (table: string) => join('tables', `${table}.jsonl.gz`)

const name = v.pipe(v.string(), v.regex(/^[a-z0-9_]+$/))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const versionSchema = v.looseObject({ format: v.literal(FORMAT), version: v.number() })

const manifestSchema = v.object({
  format: v.literal(FORMAT),
  version: v.literal(VERSION),
  /** The release and the engine that created it. Informational only. */
  release: v.string(),
  engine: v.picklist(['sqlite', 'postgres']),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  migrations: v.array(v.string()),
  /** Fingerprints of keys. `needed` lists those of every secret in the tables. */
  keys: v.object({
    master: v.string(),
    recovery: v.nullable(v.string()),
    needed: v.array(v.string()),
  }),
  withKeys: v.boolean(),
  tables: v.array(
    v.object({
      name,
      columns: v.array(v.object({ name, type: v.picklist(['text', 'integer']) })),
      key: v.array(name),
      rows: count,
      /** The sum of the rows' hashes. */
      hash,
      bytes: count,
      sha256: hash,
    }),
  ),
})
export type Manifest = v.InferOutput<typeof manifestSchema>

export type Content = {
  reader: Db
  tables: readonly Table[]
  about: Pick<Manifest, 'release' | 'engine' | 'createdAt' | 'migrations' | 'keys' | 'withKeys'>
  mac: (bytes: Uint8Array) => string
  /** Copies the key files into the folder, if the operator asked for it. */
  copyKeys: (folder: string) => void
  progress: Progress
}

/** Writes the backup atomically: the path either has a complete backup afterwards or does not exist. */
export async function writeBackup(path: string, content: Content): Promise<Manifest> {
  const { reader, tables, about, mac, copyKeys, progress } = content
  assertPathIsFree(path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.unfinished-${randomBytes(4).toString('hex')}`
  mkdirSync(join(draft, 'tables'), { recursive: true, mode: 0o700 })
  try {
    const written: Manifest['tables'] = []
    for (const table of tables) written.push(await writeTable(draft, reader, table, progress))
    if (about.withKeys) {
      mkdirSync(join(draft, keyFolder), { mode: 0o700 })
      copyKeys(draft)
    }
    const manifest = v.parse(manifestSchema, { format: FORMAT, version: VERSION, ...about, tables: written })
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    writeDurably(join(draft, manifestFile), text)
    writeDurably(join(draft, macFile), `${mac(Buffer.from(text))}\n`)
    syncFolder(join(draft, 'tables'))
    syncFolder(draft)
    assertPathIsFree(path)
    renameSync(draft, path)
    syncFolder(dirname(path))
    return manifest
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

export function assertPathIsFree(path: string): void {
  if (existsSync(path)) {
    throw new CopyRefusal(
      'path_taken',
      `${path} already exists. A backup is never overwritten: name another path.`,
    )
  }
}

const writeDurably = (file: string, text: string) =>
  writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })

async function writeTable(
  folder: string,
  reader: Db,
  table: Table,
  progress: Progress,
): Promise<Manifest['tables'][number]> {
  const { add, sum } = createSum()
  async function* lines() {
    for await (const batch of readBatches(reader, table)) {
      let text = ''
      for (const row of batch) {
        add(row)
        text += `${serializeRow(row)}\n`
      }
      yield text
      progress(`Reading ${table.name}: ${sum().rows} rows`)
    }
  }
  const sha256 = createHash('sha256')
  let bytes = 0
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sha256.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(join(folder, tablePath(table.name)), {
    flags: 'wx',
    mode: 0o600,
    flush: true,
  })
  await pipeline(Readable.from(lines()), createGzip(), hashed, file)
  const columns = table.columns.map(({ name, type }) => ({ name, type }))
  return v.parse(manifestSchema.entries.tables.item, {
    name: table.name,
    columns,
    key: table.key,
    ...sum(),
    bytes,
    sha256: sha256.digest('hex'),
  })
}

export type Backup = {
  path: string
  manifest: Manifest
  /** Throws if the MAC of the manifest is not valid under the master key. */
  verifyMac: (mac: (bytes: Uint8Array) => string) => void
  /** Reads every file and throws if one does not match the manifest. */
  verifyFiles: (progress: Progress) => Promise<void>
  /** The rows of a table in the manifest. */
  source: Source
}

const backupDamaged = (what: string) =>
  new CopyRefusal('backup_damaged', `${what} Use another backup. Nothing was changed.`)

/** Opens a backup. Do not trust the manifest before `verifyMac`, or rows before `verifyFiles`. */
export function openBackup(path: string): Backup {
  const file = join(path, manifestFile)
  if (!existsSync(file)) {
    throw new CopyRefusal('backup_not_found', `${path} is not a backup: it has no ${manifestFile}.`)
  }
  const bytes = readSmall(file)
  const manifest = parseManifest(bytes.toString('utf8'), file)
  return {
    path,
    manifest,
    verifyMac(mac) {
      const macPath = join(path, macFile)
      if (!existsSync(macPath)) throw backupDamaged(`${macPath} is missing.`)
      if (readSmall(macPath).toString('utf8').trim() !== mac(bytes)) {
        throw backupDamaged(`${file} was changed after the backup was made.`)
      }
    },
    async verifyFiles(progress) {
      for (const table of manifest.tables) {
        progress(`Checking ${tablePath(table.name)}`)
        await assertUnchanged(join(path, tablePath(table.name)), table)
      }
    },
    source: (table) => readTableFile(join(path, tablePath(table.name)), table),
  }
}

function readSmall(file: string): Buffer {
  if (statSync(file).size > copyLimits.manifestBytes)
    throw backupDamaged(`${file} is larger than any manifest.`)
  return readFileSync(file)
}

function parseManifest(text: string, file: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw backupDamaged(`${file} is cut off or damaged.`)
  }
  const version = v.safeParse(versionSchema, json)
  if (!version.success) throw backupDamaged(`${file} is no manifest of a backup.`)
  if (version.output.version !== VERSION) {
    throw new CopyRefusal(
      'backup_format_unknown',
      `the backup has the format ${version.output.version}, and this release reads ${VERSION}. Use a newer release of ${product.name}.`,
    )
  }
  const parsed = v.safeParse(manifestSchema, json)
  if (!parsed.success)
    throw backupDamaged(`${file} is damaged at ${v.getDotPath(parsed.issues[0]) ?? 'its start'}.`)
  return parsed.output
}

async function assertUnchanged(file: string, { bytes, sha256 }: Manifest['tables'][number]): Promise<void> {
  if (!existsSync(file)) throw backupDamaged(`${file} is missing.`)
  const { size } = statSync(file)
  if (size < bytes) throw backupDamaged(`${file} is cut off: it has ${size} of ${bytes} bytes.`)
  const fileHash = createHash('sha256')
  for await (const chunk of createReadStream(file)) fileHash.update(chunk)
  if (fileHash.digest('hex') !== sha256) throw backupDamaged(`${file} was changed after the backup was made.`)
}

async function* readTableFile(file: string, table: Table): AsyncGenerator<readonly Row[]> {
  const text = createGunzip().setEncoding('utf8')
  // A pipeline error ends the text stream, and the reader below receives it.
  pipeline(createReadStream(file), text).catch(() => {})
  let rest = ''
  let batch: Row[] = []
  let length = 0
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) batch.push(parseTableRow(line))
    length += chunk.length
    if (length < copyLimits.batchBytes && batch.length < copyLimits.batchRows) continue
    yield batch
    batch = []
    length = 0
  }
  if (rest !== '') throw backupDamaged(`${file} is cut off.`)
  if (batch.length > 0) yield batch

  function parseTableRow(line: string): Row {
    const row = parseRow(line, table)
    if (!row) throw backupDamaged(`${file} has a line that is no row of ${table.name}.`)
    return row
  }
}
