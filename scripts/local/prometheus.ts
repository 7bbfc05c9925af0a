// Prometheus and promtool, for the test that scrapes the server. Debian's package is unpacked and not
// installed, because an installation would start a service.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, say } from '../setup.mjs'
import { hasProgram, unpackPackages } from './debian.ts'

const programs = ['prometheus', 'promtool'] as const
const unpacked = join(root, '.cache', 'prometheus')

const findProgram = (name: string, folders: string[]) =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path))

type Programs = { PROMETHEUS: string; PROMTOOL: string }

/** The paths, as environment variables of the test. */
const find = (): Programs | undefined => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(unpacked, 'usr', 'bin')]
  const [PROMETHEUS, PROMTOOL] = programs.map((name) => findProgram(name, folders))
  return PROMETHEUS && PROMTOOL ? { PROMETHEUS, PROMTOOL } : undefined
}

/** Returns the paths, or the reason why there are none. */
export const ensurePrometheus = async (): Promise<Programs | string> => {
  const programs = find()
  if (programs) return programs
  if (!hasProgram('apt-get')) {
    return 'Prometheus is not installed. Put prometheus and promtool on your PATH.'
  }
  say('Downloading Prometheus of Debian for a test. It is unpacked below .cache/ and not installed.')
  return (
    (await unpackPackages(['prometheus'], unpacked)) ??
    find() ??
    'Prometheus was downloaded and cannot be found in its package'
  )
}
