// Starts the server with the flags that it needs, on Node 22.18 or later: node server/start/run.mjs
// This is plain JavaScript, so versions of Node without TypeScript can print the reason instead of an error code.

import { spawn } from 'node:child_process'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `The server cannot start.\nThis is Node ${process.versions.node}, and Latchkey needs Node 22.18 or later. npm ci installs one as node_modules/.bin/node.`,
  )
  process.exit(1)
}

const command = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=latchkey-source',
  // An idle server takes 26 MB less, and no call costs more: docs/operating.md, Memory.
  '--max-semi-space-size=2',
  join(import.meta.dirname, 'main.ts'),
]
if (process.platform === 'win32' || process.execve === undefined) {
  const child = spawn(process.execPath, command, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 1))
} else {
  // This process becomes the server: signals, exit code and memory are its own.
  process.execve(process.execPath, [process.execPath, ...command], process.env)
}
