import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from '../processes/run.ts'
import { withoutHosts } from '../setup.mjs'

export const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

export const canInstallPackages = () => hasProgram('apt-get') && process.getuid?.() === 0

async function runApt(...args: readonly string[]): Promise<string | undefined> {
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
export function installPackages(names: readonly string[]): Promise<string | undefined> {
  const installation = lastInstallation.then(
    async () => (await updatePackageLists()) ?? (await runApt('install', '-y', ...names)),
  )
  lastInstallation = installation
  return installation
}

/** Resolves when no installation runs. */
export const installationsEnded = async (): Promise<void> => void (await lastInstallation)
