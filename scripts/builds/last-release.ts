// node scripts/builds/last-release.ts before <folder>, then a build, then
// node scripts/builds/last-release.ts after <folder> <file>: what carries a hash in the build that was there before stays in
// <folder>/.last-release, so that pages of it that are still open find the rest of it, whichever process they ask, also
// one that started after the build. What it had kept itself goes. The file is the one by whose time the server sees a
// new build; it is set at the end. A build of the very same files is no new release.

import { cpSync, existsSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** As the bundler writes it, and what is the same, compressed. */
const hashed = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+(\.(br|gz))?$/
const hidden = /(^|[\\/])\./
const kept = '.last-release'

const hashedFilesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && hashed.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !hidden.test(file))
    .sort()

/** A build empties its folder, so what it is to leave behind waits beside it. */
const waiting = (folder: string) => join(dirname(resolve(folder)), '.cache', 'last-release')
const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true })

export const beforeBuild = (folder: string): void => {
  const place = waiting(folder)
  // A build that was cut off may have left half a release; what waited for its end is whole.
  if (existsSync(place) || !existsSync(folder)) return
  const made = `${place}.made`
  rmSync(made, { recursive: true, force: true })
  for (const file of hashedFilesOf(folder)) copy(join(folder, file), join(made, 'release', file))
  if (existsSync(join(folder, kept))) copy(join(folder, kept), join(made, 'before'))
  if (existsSync(made)) renameSync(made, place)
}

export const afterBuild = (folder: string): void => {
  const place = waiting(folder)
  const [release, before] = [join(place, 'release'), join(place, 'before')]
  const present = hashedFilesOf(folder)
  const last = existsSync(release) ? hashedFilesOf(release) : []
  const isNew = present.join('\n') !== last.join('\n')
  rmSync(join(folder, kept), { recursive: true, force: true })
  if (!isNew && existsSync(before)) copy(before, join(folder, kept))
  for (const file of isNew ? last.filter((name) => !present.includes(name)) : [])
    copy(join(release, file), join(folder, kept, file))
  rmSync(place, { recursive: true, force: true })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [when, folder, marker] = process.argv.slice(2)
  if (when === 'before' && folder !== undefined) beforeBuild(folder)
  else if (when === 'after' && folder !== undefined && marker !== undefined) {
    afterBuild(folder)
    const now = new Date()
    utimesSync(join(folder, marker), now, now)
  } else {
    process.stderr.write('node scripts/builds/last-release.ts before <folder> | after <folder> <file>\n')
    process.exit(1)
  }
}
