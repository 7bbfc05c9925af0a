/**
 * The master key file, readable by its owner only and outside of the data folder:
 *
 *     latchkey master key 1
 *     <the key, base64url>
 *     <the previous key, until the next rotation>
 *
 * Recovery shares may have their own file of the same format.
 *
 * The key is created once, together with a new database. The database stores its fingerprint, and a server with another
 * key or none refuses to start, because a new key would make every wallet unreadable.
 */
import { createHmac, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { product } from '@latchkey/protocol'
import { syncFolder } from '../files.ts'

const HEADER = `${product.key} master key 1`
const KEY_BYTES = 32

export type MasterKey = { id: string; bytes: Buffer }
/** The first key is the current one; the others can still unwrap. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** Its message tells the operator how to proceed. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
}

export const newMasterKey = (): MasterKey => toMasterKey(randomBytes(KEY_BYTES))

/** The id is a fingerprint that reveals nothing about the key. */
function toMasterKey(bytes: Buffer): MasterKey {
  const id = createHmac('sha256', bytes).update(`${product.key}/master-key/fingerprint`).digest('base64url')
  return { id: id.slice(0, 22), bytes }
}

export const masterKeyFileExists = (file: string) => existsSync(file)

/**
 * Returns whether other users can read or change the file. A file of root may be readable by the group of the server, as
 * secrets of Kubernetes are.
 */
export const isExposed = (
  { mode, uid }: { mode: number; uid: number },
  ownUid: number | undefined,
): boolean => (mode & (uid === 0 && ownUid !== 0 ? 0o037 : 0o077)) !== 0

export function readMasterKeys(file: string): MasterKeys {
  if (!existsSync(file)) throw new MasterKeyError(`The master key file ${file} does not exist.`)
  if (process.platform !== 'win32' && isExposed(statSync(file), process.getuid?.())) {
    throw new MasterKeyError(`The master key file ${file} can be read by others. Run: chmod 600 ${file}`)
  }
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const [current, ...earlier] = lines.map((line) => {
    const bytes = Buffer.from(line.trim(), 'base64url')
    if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== line.trim()) {
      throw new MasterKeyError(`The master key file ${file} is damaged. Restore it from its backup.`)
    }
    return toMasterKey(bytes)
  })
  if (header !== HEADER || !current) {
    throw new MasterKeyError(`${file} is not a master key file. Restore it from its backup.`)
  }
  return [current, ...earlier]
}

/**
 * Creates the file atomically and throws if it exists: a key is never overwritten. Another process may read the file at
 * the same time, and a killed process must not leave half a key.
 */
export function createMasterKeyFile(file: string, keys: MasterKeys): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  try {
    writeDurably(draft, keys)
    linkSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

/**
 * Copies keys into a backup. Uses rename, because some media lack hard links. The caller has checked that no file
 * exists.
 */
export function copyMasterKeys(file: string, keys: MasterKeys): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  try {
    writeDurably(draft, keys)
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

/** Replaces the file atomically and durably. */
export function replaceMasterKeyFile(file: string, keys: MasterKeys): void {
  const next = `${file}.next`
  rmSync(next, { force: true })
  writeDurably(next, keys)
  renameSync(next, file)
  syncFolder(dirname(file))
}

function writeDurably(file: string, keys: MasterKeys): void {
  const lines = [HEADER, ...keys.map((key) => key.bytes.toString('base64url')), '']
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, lines.join('\n'))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  chmodSync(file, 0o600)
  syncFolder(dirname(file))
}
