import { missingPackages, say } from '../setup.mjs'
import { type Outcome, run } from './run.ts'

/** Installs the packages of a folder with its own lock file, which nothing else needs. */
export const installApart = async (folder: string, what: string): Promise<Pick<Outcome, 'ok' | 'output'>> => {
  if (missingPackages(folder).length === 0) return { ok: true, output: '' }
  say(`Installing ${what}`)
  return run('npm', ['ci', '--silent'], { cwd: folder })
}
