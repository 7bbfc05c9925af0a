/** The last release, checked out by its tag into its own folder, with its own packages and built pages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/processes/run.ts'
import { root, say } from '../../scripts/setup.mjs'

export type Release = { name: string; folder: string }

/** `ref` is a git tag, branch or commit. The default is the newest release tag. */
export async function lastRelease(ref?: string): Promise<Release> {
  const name = ref ?? (await newestTag())
  const commit = await readOutput('git', ['rev-parse', '--verify', `${name}^{commit}`])
  const folder = join(root, '.cache', 'releases', commit)
  if (existsSync(join(folder, 'dialog-app', 'dist'))) return { name, folder }
  say(`Installing and building ${name}. This takes two minutes, once.`)
  if (!existsSync(folder)) {
    await readOutput('git', ['clone', '--quiet', '--no-checkout', root, folder])
    await readOutput('git', ['checkout', '--quiet', '--detach', commit], folder)
  }
  await readOutput('npm', ['ci', '--no-audit', '--no-fund'], folder)
  await readOutput('npm', ['run', 'build'], folder)
  return { name, folder }
}

async function newestTag(): Promise<string> {
  const [tag] = (await readOutput('git', ['tag', '--list', 'v*', '--sort=-version:refname'])).split('\n')
  if (tag) return tag
  throw new Error(
    'There is no tag of a release. Fetch them (git fetch --tags), or name a commit: --from <ref>',
  )
}

async function readOutput(command: string, args: string[], cwd: string = root): Promise<string> {
  const { ok, output } = await run(command, args, { cwd })
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}
