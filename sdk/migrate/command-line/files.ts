/** The sources below the paths that are named, without what is installed or built. */
import { lstatSync, readdirSync } from 'node:fs'
import { join, normalize, resolve, sep } from 'node:path'

const neverRead = ['node_modules', 'dist', '.next']
const isSource = (name: string) => /\.(?:ts|tsx|js|jsx)$/.test(name) && !name.endsWith('.d.ts')

/** Whether a path leads through a folder that is installed or built, also when it is named itself. */
const isNeverRead = (folder: string, path: string) =>
  normalize(path)
    .split(sep)
    .some((part) => neverRead.includes(part)) || resolve(folder, path).split(sep).includes('node_modules')

/** The sources of a folder below the paths that are named in it, each once, by their names there. Links are not followed. */
export function sourcesIn(folder: string, paths: readonly string[]): readonly string[] {
  const named = paths.filter((path) => !isNeverRead(folder, path))
  return [...new Set(named.flatMap((path) => sourcesAt(folder, normalize(path))))]
}

function sourcesAt(folder: string, path: string): readonly string[] {
  const place = resolve(folder, path)
  const stat = lstatSync(place)
  if (stat.isFile()) return isSource(path) ? [path] : []
  if (!stat.isDirectory()) return []
  return readdirSync(place)
    .filter((name) => !neverRead.includes(name) && name !== '.git')
    .sort()
    .flatMap((name) => sourcesAt(folder, join(path, name)))
}
