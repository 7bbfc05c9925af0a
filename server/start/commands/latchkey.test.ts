import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listCompletions } from './completion.ts'
import { loadEnvFiles } from './env-file.ts'
import { specs } from './specs/specs.ts'

const bin = join(import.meta.dirname, '../latchkey.mjs')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-command-line-'))
afterAll(() => rmSync(folder, { recursive: true }))

function latchkey(args: string[], environment: Readonly<Record<string, string>> = {}) {
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    env: { PATH, NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../.cache/compiled'), ...environment },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const names = [
  ...['serve', 'migrate', 'app', 'users', 'admin', 'operator', 'audit', 'keys', 'backup', 'restore', 'copy'],
  ...['init', 'doctor', 'verify', 'completion', 'import'],
]

test('latchkey --help lists every command and exits with 0', () => {
  const { status, stdout } = latchkey(['--help'])
  expect([status, stdout.split('\n')[0]]).toEqual([0, 'Usage: latchkey <command>'])
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(names.toSorted())
})

test.each(names)('latchkey %s --help prints its usage and exits with 0', (name) => {
  const { status, stdout, stderr } = latchkey([name, '--help'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`^Usage: latchkey ${name}\\b`))
})

test('a subcommand has its own usage', () => {
  expect(latchkey(['users', 'revoke', '--help']).stdout).toMatch(
    /^Usage: latchkey users revoke <user> \[--app <id>\] \[--session <id>\] \[--json\]\n/,
  )
})

test.each([
  [[], /^Usage: latchkey <command>/],
  [['nope'], /^There is no command nope\./],
  [['toString'], /^There is no command toString\./],
  [['serve', '--nope'], /^Unknown option '--nope'/],
  [['completion', 'tcsh'], /^Name your shell: bash, zsh or fish\./],
])('latchkey %j exits with 1 and a reason', (args, reason) => {
  const { status, stderr } = latchkey(args)
  expect(status).toBe(1)
  expect(stderr).toMatch(reason)
})

test('latchkey --version prints the release', () => {
  expect(latchkey(['--version'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^latchkey \d+\.\d+\.\d+/),
  })
})

test('latchkey doctor --json prints findings, with variables of --env-file, and exits with 1 if one failed', () => {
  const file = join(folder, 'doctor.env')
  writeFileSync(file, 'DIALOG_ORIGIN=https://dialog.example\nWALLET_ORIGIN=https://wallet.example\n')
  const { status, stdout } = latchkey(['doctor', '--json', '--env-file', file], { SMTP_URL: 'smtp://x' })
  expect(status).toBe(1)
  expect(JSON.parse(stdout).findings).toContainEqual({
    check: 'Configuration',
    state: 'failed',
    message: 'MAIL_FROM is missing.',
    advice: "Set it to the sender of your mails, such as 'Fieldnotes <login@example.com>'.",
  })
  expect(stdout).not.toContain('DIALOG_ORIGIN')
})

test('the completion of bash completes commands, subcommands and options', () => {
  const { stdout: script } = latchkey(['completion', 'bash'])
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const call = `COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _latchkey; echo "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' })
      .stdout.trim()
      .split(' ')
  }
  expect(complete('latchkey', 'ba')).toEqual(['backup'])
  expect(complete('latchkey', 'app', 'con')).toEqual(['connected-apps'])
  expect(complete('latchkey', 'app', 'create', '--na')).toEqual(['--name'])
  expect(complete('latchkey', 'backup', '--to', 'a-folder', '--w')).toEqual(['--with-keys'])
  expect(complete('latchkey', 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
})

test('completions have the options of each command', () => {
  expect(listCompletions(specs).get('migrate')).toEqual(['--check', '--json', '--help', '--env-file'])
})

test('--env-file is removed from the arguments, in both forms and anywhere before --', () => {
  const [one, two] = [join(folder, 'one.env'), join(folder, 'two.env')]
  writeFileSync(one, "CLI_TEST_ONE=first\nCLI_TEST_NAME='Fieldnotes <a@b.example>'\n")
  writeFileSync(two, 'CLI_TEST_ONE=second\nCLI_TEST_TWO=second\n')
  const others = loadEnvFiles(
    ['serve', '--env-file', 'one.env', '--x', `--env-file=${two}`, '--', '--env-file'],
    folder,
  )
  expect(others).toEqual(['serve', '--x', '--', '--env-file'])
  expect(process.env).toMatchObject({
    CLI_TEST_ONE: 'first',
    CLI_TEST_TWO: 'second',
    CLI_TEST_NAME: 'Fieldnotes <a@b.example>',
  })
  for (const name of ['CLI_TEST_ONE', 'CLI_TEST_TWO', 'CLI_TEST_NAME']) delete process.env[name]
})

test('--env-file without a readable file is refused', () => {
  expect(() => loadEnvFiles(['serve', '--env-file'], folder)).toThrow('--env-file needs the path of a file.')
  expect(() => loadEnvFiles(['--env-file', 'none.env'], folder)).toThrow(
    `The file of --env-file cannot be read (ENOENT): ${join(folder, 'none.env')}`,
  )
})
