import { existsSync, globSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from '../processes/run.ts'
import { withoutHosts } from '../setup.mjs'

export const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

export const canInstallPackages = () => hasProgram('apt-get') && process.getuid?.() === 0

async function runApt(...args: string[]): Promise<string | undefined> {
  const { ok, output } = await run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
  return ok ? undefined : `apt-get ${args.join(' ')} failed:\n${withoutHosts(output)}`
}

let update: Promise<string | undefined> | undefined
/** Updates the package lists once. Returns the problem, or undefined. */
export const updatePackageLists = (): Promise<string | undefined> => {
  update ??= runApt('update')
  return update
}

let lastInstallation: Promise<unknown> = Promise.resolve()
/** Installs packages after the installations that were started before. Returns the problem, or undefined. */
export function installPackages(names: string[]): Promise<string | undefined> {
  const installation = lastInstallation.then(
    async () => (await updatePackageLists()) ?? (await runApt('install', '-y', ...names)),
  )
  lastInstallation = installation
  return installation
}

/** Resolves when no installation runs. */
export const installationsEnded = async (): Promise<void> => void (await lastInstallation)

const runIn = async (folder: string, command: string, args: string[]) => {
  const { ok, output } = await run(command, args, { cwd: folder })
  return ok ? undefined : `${command} ${args.join(' ')} failed:\n${withoutHosts(output)}`
}

/**
 * Downloads Debian's packages into a folder and unpacks them there, after all installations. Nothing is installed, so no
 * service starts. Returns the problem, or undefined.
 */
export async function unpackPackages(names: string[], folder: string): Promise<string | undefined> {
  const findFile = (name: string) => globSync(`${name}_*.deb`, { cwd: folder }).sort().at(-1)
  if (names.every(findFile)) return undefined
  mkdirSync(folder, { recursive: true })
  await installationsEnded()
  // Only root can update the package lists. Other users download from the present ones.
  const stale = canInstallPackages() ? await updatePackageLists() : undefined
  let failure = stale ?? (await runIn(folder, 'apt-get', ['download', ...names]))
  for (const name of names) {
    const file = findFile(name) ?? `${name}_*.deb`
    failure ??= await runIn(folder, 'dpkg-deb', ['-x', file, '.'])
  }
  return failure
}
