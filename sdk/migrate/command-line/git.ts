/** What git has not committed. */
import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const deadlineMs = 30_000

/** The changes at a path that are not committed. Outside of git, and without git, there are none. */
export function uncommittedIn(path: string): readonly string[] {
  const [folder, at] = lstatSync(path).isDirectory() ? [path, '.'] : [dirname(path), basename(path)]
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['-C', folder, 'status', '--porcelain', '--', at],
    // In English, because its words tell whether this is a repository.
    { encoding: 'utf8', timeout: deadlineMs, env: { ...process.env, LC_ALL: 'C' } },
  )
  if (status === 0) return stdout.split('\n').filter((line) => line !== '')
  const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT'
  if (isMissing || stderr.includes('not a git repository (or any')) return []
  return [`git status: ${stderr.trim() || 'no answer'}`]
}
