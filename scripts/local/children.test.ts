import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createChildren } from './children.ts'

const folders: string[] = []
const logFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'children-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Responds only under its own host name. */
const web = (port: number) => `
  const { createServer } = require('node:http')
  createServer((request, response) => {
    response.statusCode = request.headers.host === 'app.localhost:${port}' ? 200 : 421
    response.end()
  }).listen(${port}, '127.0.0.1', () => console.log('listening'))
  process.on('SIGTERM', () => { console.log('goodbye'); process.exit(0) })
`

test('a program is reached under its own name, ends on request, and is logged until then', async () => {
  const folder = logFolder()
  const deaths: unknown[] = []
  const children = createChildren({ logFolder: folder, onDeath: (death) => deaths.push(death) })
  const port = await freePort()
  children.start({ name: 'web', args: ['-e', web(port)] })
  expect(await children.waitFor('web', { port, host: 'app.localhost', path: '/' })).toBe(true)
  await children.stop()
  expect(deaths).toEqual([])
  await expect.poll(() => readFileSync(join(folder, 'web.log'), 'utf8')).toBe('listening\ngoodbye\n')
})

test('a program that dies is reported with its exit code and last output', async () => {
  const death = await new Promise((resolve) => {
    const children = createChildren({ logFolder: logFolder(), onDeath: resolve })
    children.start({ name: 'frail', args: ['-e', "console.error('no database'); process.exit(3)"] })
  })
  expect(death).toEqual({ name: 'frail', how: 'exit code 3', lines: ['no database'] })
})

test('a program that does not end is killed with its child processes', async () => {
  const children = createChildren({ logFolder: logFolder(), onDeath: () => {}, stopDeadlineMs: 100 })
  const port = await freePort()
  const stubborn = `
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(web(port))}])
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
  `
  children.start({ name: 'stubborn', args: ['-e', stubborn] })
  expect(await children.waitFor('stubborn', { port, host: 'app.localhost', path: '/' })).toBe(true)
  await children.stop()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test('a program ends if its parent process is killed', async () => {
  const folder = logFolder()
  const port = await freePort()
  const module = new URL('./children.ts', import.meta.url).href
  const parent = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { createChildren } = await import(${JSON.stringify(module)})
     const children = createChildren({ logFolder: ${JSON.stringify(folder)}, onDeath: () => {} })
     children.start({ name: 'web', args: ['-e', ${JSON.stringify(web(port))}] })
     await children.waitFor('web', { port: ${port}, host: 'app.localhost', path: '/' })
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
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})
