import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCommand, type Tool } from './command.ts'
import { UsageError } from './spec.ts'

class Refusal extends Error {}

const printed: string[] = []
const tool: Tool = {
  name: 'test',
  spec: {
    summary: 'tests commands',
    commands: {
      greet: { summary: 'greets a user', arguments: '<name>' },
      refuse: { summary: 'is refused' },
      break: { summary: 'has a bug' },
    },
  },
  isRefusal: (error) => error instanceof Refusal,
  commands: {
    greet: async ([name], { print }) => {
      if (name === undefined) throw new UsageError()
      print(`Hello ${name}`)
    },
    refuse: async () => Promise.reject(new Refusal('Not so')),
    break: async () => Promise.reject(new RangeError('Out of it')),
  },
}
const folder = mkdtempSync(join(tmpdir(), 'latchkey-command-'))
afterAll(() => rmSync(folder, { recursive: true }))
const environment = {
  DATABASE_URL: join(folder, 'data', 'latchkey.sqlite'),
  MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
}
const run = (...args: string[]) => runCommand(tool, args, environment, (line) => printed.push(line))

it('prints the result of a command', async () => {
  expect(await run('greet', 'Mira')).toEqual({ ok: true })
  expect(printed).toEqual(['Hello Mira'])
})

it.each([[''], ['nope'], ['toString']])('prints the usage for an unknown command (%j)', async (name) => {
  expect(await run(name)).toEqual({
    ok: false,
    why: expect.stringMatching(/^Usage: latchkey test <command>\n[\s\S]*\n {2}greet {3}greets a user\n/),
  })
})

it('prints the usage of a command that lacks an argument', async () => {
  expect(await run('greet')).toEqual({
    ok: false,
    why: expect.stringMatching(/^Usage: latchkey test greet <name>\n\nGreets a user\.\n/),
  })
})

it('reports an unreachable database', async () => {
  const away = { ...environment, DATABASE_URL: 'postgres://somebody@127.0.0.1:1/none' }
  expect(await runCommand(tool, ['greet', 'Mira'], away, () => {})).toEqual({
    ok: false,
    why: 'The database of DATABASE_URL does not answer (ECONNREFUSED).',
  })
})

it('prints the message of a refusal, and the stack of a bug', async () => {
  expect(await run('refuse')).toEqual({ ok: false, why: 'Not so' })
  expect(await run('break')).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^RangeError: Out of it\n +at /),
  })
})
