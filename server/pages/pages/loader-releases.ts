/**
 * The loader under its version, for ever, and under `v1` as the newest. Older releases lie beside the build, in
 * `releases/<version>/`, and are never removed: host pages name them with a hash.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { type BuiltFile, type BuiltFolder, readBuiltFolder } from './built-files.ts'

export type LoaderReleases = {
  readonly newest: () => BuiltFile | undefined
  readonly file: (version: string, name: string) => BuiltFile | undefined
}

/** The script of the one line, and what it loads when that is first used. Nothing else of a build is served. */
const releasedFiles: readonly string[] = ['loader.js', 'loader-more.js']

const manifestSchema = v.object({ version: v.string() })

export function openLoaderReleases(dist: string, built: BuiltFolder): LoaderReleases {
  const packageFolder = dirname(dist)
  const manifest = join(packageFolder, 'package.json')
  const present = existsSync(manifest)
    ? v.parse(manifestSchema, JSON.parse(readFileSync(manifest, 'utf8'))).version
    : undefined
  const folder = join(packageFolder, 'releases')
  const earlier = new Map(
    (existsSync(folder) ? readdirSync(folder) : []).map((version) => [
      version,
      readBuiltFolder(join(folder, version)).files,
    ]),
  )
  return {
    newest: () => built.file('/loader.js'),
    file: (version, name) => {
      if (!releasedFiles.includes(name)) return undefined
      const release = earlier.get(version)
      if (release) return release.get(`/${name}`)
      return version === present ? built.file(`/${name}`) : undefined
    },
  }
}
