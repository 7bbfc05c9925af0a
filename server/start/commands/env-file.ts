/** The option `--env-file` of every command. Has no packages, so that scripts can use it before packages are installed. */
import { resolve } from 'node:path'

const option = '--env-file'

/**
 * Loads the files of each `--env-file <path>` into `process.env` and returns the other arguments. Variables that are
 * already set take precedence, and so does the first of several files. Throws if a file cannot be read.
 */
export function loadEnvFiles(args: string[], userFolder: string): string[] {
  const others: string[] = []
  const end = args.includes('--') ? args.indexOf('--') : args.length
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? ''
    if (at >= end || (argument !== option && !argument.startsWith(`${option}=`))) {
      others.push(argument)
      continue
    }
    if (argument === option) at += 1
    const path = argument === option ? args[at] : argument.slice(option.length + 1)
    if (path === undefined || path === '') throw new Error(`${option} needs the path of a file.`)
    loadFile(resolve(userFolder, path))
  }
  return others
}

function loadFile(path: string): void {
  try {
    process.loadEnvFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new Error(`The file of ${option} cannot be read${code}: ${path}`)
  }
}
