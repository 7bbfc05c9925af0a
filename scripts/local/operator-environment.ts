import { join } from 'node:path'
import { loadEnvFiles } from '../../server/start/commands/env-file.ts'
import { compileCache, endWithWords, root } from '../setup.mjs'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether this shell's commands are for a hosted product instead of that of `npm start`. */
export const isHosted = ({ DIALOG_ORIGIN }: Environment): boolean => {
  const url = URL.parse(DIALOG_ORIGIN ?? '')
  return url !== null && url.hostname !== 'localhost' && !url.hostname.endsWith('.localhost')
}

/**
 * Returns the environment of a hosted product. Its data is separate from that of `npm start`. The shell takes
 * precedence.
 */
export const productionEnvironment = (environment: Environment): Record<string, string | undefined> => ({
  DATA_DIR: join(root, '.data', 'production'),
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  ...withoutEmpty(environment),
})

const withoutEmpty = (environment: Environment) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** Adds the variables of `--env-file` to the environment, and returns the other arguments. */
export function readArguments(): string[] {
  try {
    return loadEnvFiles(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd())
  } catch (error) {
    return endWithWords(String(error instanceof Error ? error.message : error))
  }
}

/** Replaces this process by a command of `latchkey`. */
export async function runLatchkey(args: string[], environment: Environment): Promise<void> {
  for (const [name, value] of Object.entries({ ...compileCache, ...environment })) {
    if (value !== undefined) process.env[name] = value
  }
  process.argv.splice(2, process.argv.length, ...args)
  await import('../../server/start/latchkey.mjs')
}
