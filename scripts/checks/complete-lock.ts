// node scripts/checks/complete-lock.ts
//
// Packages with a program in them name one optional package per kind of machine. When a registry lacks the ones for
// other machines, npm leaves them out of the lock file, and then `npm ci` refuses that lock file everywhere. This
// writes them in, by name and version. Run it after adding such a package; `npm run check` says when.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../setup.mjs'

type Entry = {
  version?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  libc?: readonly string[]
  optionalDependencies?: Readonly<Record<string, string>>
}
type Locked = Readonly<Record<string, Entry>>

const processors: Readonly<Record<string, string>> = { amd64: 'x64' }

/** Every optional package that a locked package names and the lock file lacks. */
export const missingFromLock = (locked: Locked) =>
  Object.entries(locked).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !locked[`node_modules/${name}`] && !locked[`${path}/node_modules/${name}`])
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  )

const machine =
  /-(android|darwin|linux|win32)-(arm64|x64|amd64|arm|ia32|ppc64|s390x)(?:-(musl|gnu|gnueabihf|msvc))?$/
/** Only two of the last parts say which C library the machine has to have. */
const libraries: Readonly<Record<string, string>> = { musl: 'musl', gnu: 'glibc' }

/** What npm has to know to leave the package alone on any other machine. */
const machineOf = (name: string) => {
  const [, os, cpu = '', abi = ''] = machine.exec(name) ?? []
  if (os === undefined) throw new Error(`${name} does not say for which machine it is`)
  const libc = libraries[abi]
  return { os: [os], cpu: [processors[cpu] ?? cpu], ...(libc && { libc: [libc] }) }
}

export const completeLock = (locked: Locked): Locked => {
  const added = missingFromLock(locked).map(({ name, version, dev }): [string, Entry] => [
    `node_modules/${name}`,
    { version, ...(dev && { dev }), optional: true, ...machineOf(name) },
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
