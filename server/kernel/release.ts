import manifest from '../package.json' with { type: 'json' }

/** The release that this server is of. */
export const release: string = manifest.version

/** Whether one release came before another: `0.9.0` before `0.10.0`. */
export function isOlder(one: string, other: string): boolean {
  const [ones, others] = [one, other].map((each) => each.split('.').map(Number))
  for (const [at, number] of (ones ?? []).entries()) {
    const difference = number - (others?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
