import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }

/** The version of this release. */
export const release: string = manifest.version

/** Written by `npm run build` and `npm run serve`, because a server has no git history. */
const commitFile = join(import.meta.dirname, '../../.commit')

/** Returns the commit of the last build, or undefined without one. */
export function readBuildCommit(file = commitFile): string | undefined {
  try {
    return /^[0-9a-f]{40,64}$/.exec(readFileSync(file, 'utf8').trim())?.[0]
  } catch {
    return undefined
  }
}

/** Returns whether a version precedes another: `0.9.0` before `0.10.0`. */
export function isOlder(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((each) => each.split('.').map(Number))
  for (const [at, number] of (ones ?? []).entries()) {
    const difference = number - (others?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
