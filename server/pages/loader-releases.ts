/**
 * The loader under its version, for ever, and under `v1` as the newest. Older releases lie beside the build, in
 * `releases/<version>/loader.js`, and are never removed: host pages name them with a hash.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { type BuiltFile, type BuiltFolder, builtFile } from './built-files.ts'

export type LoaderReleases = {
  readonly newest: () => BuiltFile | undefined
  readonly version: (version: string) => BuiltFile | undefined
}

const manifestSchema = v.object({ version: v.string() })

export function openLoaderReleases(dist: string, built: BuiltFolder): LoaderReleases {
  const packageFolder = dirname(dist)
  const manifest = join(packageFolder, 'package.json')
  const present = existsSync(manifest)
    ? v.parse(manifestSchema, JSON.parse(readFileSync(manifest, 'utf8'))).version
    : undefined
  const folder = join(packageFolder, 'releases')
  const earlier = new Map(
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((version) => existsSync(join(folder, version, 'loader.js')))
      .map((version) => [version, builtFile('loader.js', readFileSync(join(folder, version, 'loader.js')))]),
  )
  const newest = () => built.file('/loader.js')
  return {
    newest,
    version: (version) => earlier.get(version) ?? (version === present ? newest() : undefined),
  }
}
