import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePorts } from './ports.ts'
import { startProgram } from './program.ts'

const programModule = pathToFileURL(join(import.meta.dirname, 'program.ts')).href
let folder = ''
let port = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-program-'))
  port = (await freePorts()).http
})
afterEach(() => rmSync(folder, { recursive: true }))

const logFile = () => join(folder, 'log')
function start(source: string) {
  const script = join(folder, 'program.cjs')
  writeFileSync(script, source)
  return startProgram({ name: 'The program', script, env: {}, logFile: logFile() })
}
const address = () => `http://127.0.0.1:${port}/`
const web = () => `
  require('node:http').createServer((_, response) => response.end())
    .listen(${port}, '127.0.0.1', () => console.log('listening'))
  process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0) })
`

test('a program is reached, ends on request, and is logged until then', async () => {
  const program = start(web())
  await program.answers(address())
  await program.stop()
  expect(await program.ended).toBe('as told')
  await expect.poll(() => readFileSync(logFile(), 'utf8')).toBe('listening\ngoodbye\n')
})

test('a program that dies is reported with its exit code and last output', async () => {
  const program = start("console.error('no database'); process.exit(3)")
  await expect(program.answers(address())).rejects.toThrow(
    'The program stopped (exit code 3). Its last lines:\n  no database',
  )
  expect(await program.ended).toBe('by itself')
})

test('a program that does not end is killed with its child processes', async () => {
  const program = start(`
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(web())}])
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
  `)
  await program.answers(address())
  await program.stop('SIGTERM', 100)
  await expect(fetch(address())).rejects.toThrow()
})

test('a program ends if its parent process is killed', async () => {
  const script = join(folder, 'program.cjs')
  writeFileSync(script, web())
  const options = JSON.stringify({ name: 'The program', script, env: {}, logFile: logFile() })
  const parent = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { startProgram } = await import(${JSON.stringify(programModule)})
     await startProgram(${options}).answers(${JSON.stringify(address())})
     console.log('running')`,
  ])
  await once(parent.stdout, 'data')
  const closed = new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', resolve)
    socket.on('connect', () => parent.kill('SIGKILL'))
  })
  await closed
  await expect(fetch(address())).rejects.toThrow()
})
