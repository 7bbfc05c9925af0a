/**
 * Copies the served files of this build to `releases/<hash>/`, because pages pin them and the next build
 * replaces them.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contentHash } from './scripts.ts'

/** A loader has three files, so this keeps at least 20 loaders. */
const keptFiles = 60
const endings = ['', '.br', '.gz']

export function keepRelease(dist: string, releases: string): void {
  for (const name of ['loader.js', 'latchkey.js', 'loader-more.js']) {
    const folder = join(releases, contentHash(readFileSync(join(dist, name), 'utf8')))
    mkdirSync(folder, { recursive: true })
    for (const file of endings.map((ending) => name + ending)) {
      if (existsSync(join(dist, file))) copyFileSync(join(dist, file), join(folder, file))
    }
    const now = new Date()
    utimesSync(folder, now, now)
  }
  const hashed = readdirSync(releases)
    .filter((name) => name.length === contentHash('').length)
    .map((name) => ({ folder: join(releases, name), builtMs: statSync(join(releases, name)).mtimeMs }))
    .sort((one, other) => other.builtMs - one.builtMs)
  for (const { folder } of hashed.slice(keptFiles)) rmSync(folder, { recursive: true })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(import.meta.dirname, '..')
  keepRelease(join(root, 'dist'), join(root, 'releases'))
}
