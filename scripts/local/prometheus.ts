// Prometheus and promtool, for the test that scrapes the server. Debian's package is unpacked and not
// installed, because an installation would start a service.

import { existsSync, globSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from '../processes/run.ts'
import { root, say, withoutHosts } from '../setup.mjs'
import { canInstallPackages, hasProgram, installationsEnded, updatePackageLists } from './debian.ts'

const programs = ['prometheus', 'promtool'] as const
const unpacked = join(root, '.cache', 'prometheus')

const findProgram = (name: string, folders: readonly string[]) =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

type Programs = { PROMETHEUS: string; PROMTOOL: string }

/** The paths, as environment variables of the test. */
const find = (): Programs | undefined => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(unpacked, 'usr', 'bin')]
  const [PROMETHEUS, PROMTOOL] = programs.map((name) => findProgram(name, folders))
  return PROMETHEUS && PROMTOOL ? { PROMETHEUS, PROMTOOL } : undefined
}

const runIn = async (folder: string, command: string, args: readonly string[]) => {
  const { ok, output } = await run(command, args, { cwd: folder })
  return ok ? undefined : `${command} ${args.join(' ')} failed:\n${withoutHosts(output)}`
}

/** Returns the paths, or the reason why there are none. */
export const ensurePrometheus = async (): Promise<Programs | string> => {
  const programs = find()
  if (programs) return programs
  if (!hasProgram('apt-get')) {
    return 'Prometheus is not installed. Put prometheus and promtool on your PATH.'
  }
  say('Downloading Prometheus of Debian for a test. It is unpacked below .cache/ and not installed.')
  mkdirSync(unpacked, { recursive: true })
  await installationsEnded()
  // Only root can update the package lists. Other users download from the present ones.
  const stale = canInstallPackages() ? await updatePackageLists() : undefined
  const failure = stale ?? (await runIn(unpacked, 'apt-get', ['download', 'prometheus']))
  if (failure !== undefined) return failure
  const [file] = globSync('prometheus_*.deb', { cwd: unpacked }).sort().slice(-1)
  if (file === undefined) return 'apt-get download prometheus left no package'
  return (
    (await runIn(unpacked, 'dpkg-deb', ['-x', file, '.'])) ??
    find() ??
    'Prometheus was downloaded and cannot be found in its package'
  )
}
