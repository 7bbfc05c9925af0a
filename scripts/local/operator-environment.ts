import { join } from 'node:path'
import { root } from '../setup.mjs'

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
