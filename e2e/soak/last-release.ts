/** The last release, as its tag has it: in a folder of its own, with the packages and the pages that it was built with. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/processes/run.ts'
import { root, say } from '../../scripts/setup.mjs'

export type Release = { readonly tag: string; readonly folder: string }

export async function lastRelease(): Promise<Release> {
  const tags = await told('git', ['tag', '--list', 'v*', '--sort=-version:refname'])
  const [tag = ''] = tags.split('\n')
  if (tag === '') throw new Error('There is no tag of a release. Fetch them: git fetch --tags')
  const folder = join(root, '.cache', 'releases', tag)
  if (existsSync(join(folder, 'dialog-app', 'dist'))) return { tag, folder }
  say(`Installing and building ${tag}. This takes two minutes, once.`)
  if (!existsSync(folder)) await told('git', ['clone', '--quiet', '--branch', tag, root, folder])
  await told('npm', ['ci', '--no-audit', '--no-fund'], folder)
  await told(process.execPath, ['scripts/build.mjs'], folder)
  return { tag, folder }
}

async function told(command: string, args: readonly string[], cwd: string = root): Promise<string> {
  const { ok, output } = await run(command, args, { cwd })
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}
