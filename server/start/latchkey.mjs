#!/usr/bin/env node
// The command line: node server/start/latchkey.mjs <command>. Starts the commands with the flags of Node that they need,
// on Node 22.18 or later. Plain JavaScript, so that Node versions without TypeScript support can print a helpful message.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This is Node ${process.versions.node}, and Latchkey needs Node 22.18 or later. npm ci installs one as node_modules/.bin/node.`,
  )
  process.exit(1)
}

const program = ['programs/latchkey.mjs', 'commands/latchkey.ts']
  .map((path) => join(import.meta.dirname, path))
  .find((path) => existsSync(path))
const command = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=latchkey-source',
  // Saves 26 MB in an idle server without slowing down calls: docs/operating.md, Memory.
  '--max-semi-space-size=2',
  program,
  ...process.argv.slice(2),
]
if (process.platform === 'win32' || process.execve === undefined) {
  const child = spawn(process.execPath, command, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 1))
} else {
  // Replaces this process by the server, so that signals, exit code and memory are those of the server.
  process.execve(process.execPath, [process.execPath, ...command], process.env)
}
