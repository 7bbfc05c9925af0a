import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../processes/run.ts'
import { root } from '../setup.mjs'

/** Lists the files of the repository, with those that the next commit adds. */
export async function repositoryFiles(): Promise<string[]> {
  const { ok, output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  if (!ok) throw new Error(output)
  return output.split('\n').filter((path) => path !== '' && existsSync(join(root, path)))
}

export const readText = (path: string) => readFileSync(join(root, path), 'utf8')
