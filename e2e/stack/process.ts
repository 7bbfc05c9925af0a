/** Starts the product's programs from their sources, and other programs on the built packages. */
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

/** Starts a program, by default one of the product, and waits until it responds. */
export async function startProgram({
  folder,
  release,
  answersAt,
  deadlineMs,
  env,
  ...options
}: Omit<ProgramOptions, 'nodeOptions'> & {
  /** The folder of a release to run instead of the sources. */
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

/** Starts a process that runs operator commands one after the other. */
export const startOperator = (env: Readonly<Record<string, string>>, logFile: string): Operator =>
  startTool({
    ...fromSources,
    name: 'The operator',
    script: 'server/testing/operator.ts',
    env: { ...compileCache, ...env },
    logFile,
    isEchoed: true,
  })

/** Runs a command-line tool of the product until it exits. */
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
