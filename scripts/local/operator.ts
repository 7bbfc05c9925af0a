// npm run app, users, keys and so on: aliases of the commands of latchkey.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { loadEnvFiles } from '../../server/start/commands/env-file.ts'
import { compileCache, endWithWords, root } from '../setup.mjs'
import { operatorEnvironment } from './local.ts'

const args = readArguments()

function readArguments(): string[] {
  try {
    return loadEnvFiles(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd())
  } catch (error) {
    return endWithWords(String(error instanceof Error ? error.message : error))
  }
}

const bin = join(root, 'server/start/latchkey.mjs')
const child = spawn(process.execPath, [bin, ...args], {
  stdio: 'inherit',
  env: { ...compileCache, ...operatorEnvironment() },
})
child.once('close', (code) => process.exit(code ?? 1))
