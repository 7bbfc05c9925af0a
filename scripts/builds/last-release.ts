// Usage: node scripts/builds/last-release.ts before <folder>, then a build, then node
// scripts/builds/last-release.ts after <folder> <file>. Keeps the hashed files of the previous build in
// <folder>/.last-release, so that open pages still find their files on every process after an upgrade. Older
// releases are removed. The server detects a new build by the time of <file>, which is set at the end. A build
// with identical files is not a new release.

import { cpSync, existsSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A hashed file name of the bundler, also compressed. */
const hashed = /-[A-Za-z0-9_-]{8}\.[a-z0-9]+(\.(br|gz))?$/
const hidden = /(^|[\\/])\./
const releaseFolder = '.last-release'

const listHashedFiles = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && hashed.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !hidden.test(file))
    .sort()

/** Returns the folder that keeps the release during a build, because a build empties its own folder. */
const waiting = (folder: string) => join(dirname(resolve(folder)), '.cache', 'last-release')
const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true })

export const beforeBuild = (folder: string): void => {
  const place = waiting(folder)
  // After an interrupted build the folder may be incomplete, but an existing copy is complete.
  if (existsSync(place) || !existsSync(folder)) return
  const copied = `${place}.made`
  rmSync(copied, { recursive: true, force: true })
  for (const file of listHashedFiles(folder)) copy(join(folder, file), join(copied, 'release', file))
  if (existsSync(join(folder, releaseFolder))) copy(join(folder, releaseFolder), join(copied, 'before'))
  if (existsSync(copied)) renameSync(copied, place)
}

export const afterBuild = (folder: string): void => {
  const place = waiting(folder)
  const [release, before] = [join(place, 'release'), join(place, 'before')]
  const present = listHashedFiles(folder)
  const last = existsSync(release) ? listHashedFiles(release) : []
  const isNew = present.join('\n') !== last.join('\n')
  rmSync(join(folder, releaseFolder), { recursive: true, force: true })
  if (!isNew && existsSync(before)) copy(before, join(folder, releaseFolder))
  for (const file of isNew ? last.filter((name) => !present.includes(name)) : [])
    copy(join(release, file), join(folder, releaseFolder, file))
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
