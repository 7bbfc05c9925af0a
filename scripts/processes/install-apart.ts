import { missingPackages, say } from '../setup.mjs'
import { type Outcome, run } from './run.ts'

/** Installs what a folder with a lock file of its own needs, and nothing else here does. */
export const installApart = async (folder: string, what: string): Promise<Pick<Outcome, 'ok' | 'output'>> => {
  if (missingPackages(folder).length === 0) return { ok: true, output: '' }
  say(`Installing ${what}`)
  return run('npm', ['ci', '--silent'], { cwd: folder })
}
