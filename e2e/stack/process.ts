/** The product's own programs as their sources are, and programs of other folders on what the packages ship. */
import { fileURLToPath } from 'node:url'
import {
  type Operator,
  type Program,
  type ProgramOptions,
  startProgram as start,
  startOperator as startTool,
} from '@latchkey/sandbox/programs'
import { run } from '../../scripts/processes/run.ts'
import { compileCache } from '../../scripts/setup.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const fromSources = { folder: root, nodeOptions: ['--conditions=latchkey-source'] }

export type Started = Pick<Program, 'pid' | 'ended'> & { kill: Program['stop'] }

/** Starts a program, which is one of the product's own where it has no folder, and waits until it answers. */
export async function startProgram({
  folder,
  release,
  answersAt,
  deadlineMs,
  env,
  ...options
}: Omit<ProgramOptions, 'nodeOptions'> & {
  /** The folder of a release of the product whose own program it is. */
  release?: string | undefined
  answersAt: string
  deadlineMs?: number
}): Promise<Started> {
  const from = folder === undefined ? { ...fromSources, folder: release ?? root } : { folder }
  const program = start({ ...options, ...from, env: { ...compileCache, ...env } })
  try {
    await program.answers(answersAt, deadlineMs)
  } catch (error) {
    await program.stop('SIGKILL')
    throw error
  }
  return { pid: program.pid, ended: program.ended, kill: program.stop }
}

/** Whoever is told what to do with the apps; one thing after the other. */
export const startOperator = (env: Readonly<Record<string, string>>, logFile: string): Operator =>
  startTool({
    ...fromSources,
    name: 'The operator',
    script: 'server/testing/operator.ts',
    env: { ...compileCache, ...env },
    logFile,
    isEchoed: true,
  })

/** Runs one of the product's command lines to its end. */
export async function runProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  release: string = root,
) {
  const { ok, output } = await run(process.execPath, [...fromSources.nodeOptions, script, ...args], {
    cwd: release,
    env: { ...compileCache, ...env },
  })
  if (!ok) throw new Error(`${script} ${args.join(' ')} failed:\n${output}`)
  return output
}
