/** What is printed: a line for each change, and for each place that is left. */
import { linkTo } from '../privy/guide.ts'
import type { Change, Note } from '../privy/source-file.ts'

export type FileReport = {
  readonly path: string
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
}

export function reportOf({ path, changes, notes }: FileReport): readonly string[] {
  return [
    ...changes.map(({ line, message }) => `changed  ${path}:${line}: ${message}.`),
    ...notes.map(
      ({ line, message, heading }) => `left     ${path}:${line}: ${message}. See ${linkTo(heading)}`,
    ),
  ]
}
