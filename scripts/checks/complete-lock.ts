// node scripts/checks/complete-lock.ts
//
// Packages with a binary list one optional package per platform. If a registry lacks those of other platforms,
// npm omits them from the lock file, and then `npm ci` rejects that file everywhere. This script adds them, by
// name and version. Run it after adding such a package; `npm run check` reports when.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../setup.mjs'

type Entry = {
  version?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Readonly<Record<string, string>>
}
type Locked = Readonly<Record<string, Entry>>

const processors: Readonly<Record<string, string>> = { amd64: 'x64' }

/** Returns every optional package that a locked package lists and the lock file lacks. */
export const missingFromLock = (locked: Locked) =>
  Object.entries(locked).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !locked[`node_modules/${name}`] && !locked[`${path}/node_modules/${name}`])
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  )

const machine =
  /-(android|darwin|linux|win32)-(arm64|x64|amd64|arm|ia32|ppc64|s390x)(?:-(musl|gnu|gnueabihf|msvc))?$/
/** The suffixes that determine the C library. */
const libraries: Readonly<Record<string, string>> = { musl: 'musl', gnu: 'glibc' }

/** Returns the platform fields with which npm skips the package elsewhere. */
const parseMachine = (name: string) => {
  const [, os, cpu = '', abi = ''] = machine.exec(name) ?? []
  if (os === undefined) throw new Error(`${name} does not name its platform`)
  const libc = libraries[abi]
  return { os: [os], cpu: [processors[cpu] ?? cpu], ...(libc && { libc: [libc] }) }
}

export const completeLock = (locked: Locked): Locked => {
  const added = missingFromLock(locked).map(({ name, version, dev }): [string, Entry] => [
    `node_modules/${name}`,
    { version, ...(dev && { dev }), optional: true, ...parseMachine(name) },
  ])
  const all = [...Object.entries(locked), ...added]
  return Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingFromLock(lock.packages)
  lock.packages = completeLock(lock.packages)
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(
    missing.length === 0
      ? 'The lock file is complete.'
      : `Added ${missing.map(({ name }) => name).join(', ')}`,
  )
}
