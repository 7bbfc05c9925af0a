import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseConfig } from '../../kernel/config.ts'
import { readMasterKeys } from '../../kernel/keys/master-key.ts'
import { missingVariables } from '../required.ts'
import { formatEnvFile, InitRefusal, initialize } from './init.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the command. Without answers there is no terminal. */
async function init(args: string[], answers?: string[]) {
  const questions: string[] = []
  const printed: string[] = []
  const left = [...(answers ?? [])]
  const ask = async (question: string) => {
    questions.push(question)
    const answer = left.shift()
    if (answer === undefined) throw new Error(`unexpected question: ${question}`)
    return answer
  }
  await initialize(args, {
    userFolder: folder,
    ask: answers && ask,
    print: (line) => void printed.push(line),
  })
  return { questions, printed }
}
const readEnv = (name = '.env') => parseEnv(readFileSync(join(folder, name), 'utf8'))
const everyOption = [
  ...['--dialog-origin', 'https://dialog.example', '--wallet-origin', 'https://wallet.test'],
  ...['--smtp-url', 'smtps://user:p%27w#d@smtp.example', '--mail-from', "Ada's Notes <login@example.com>"],
  ...['--data-dir', 'state'],
]

it('asks five questions, suggests answers and writes both files for their owner only', async () => {
  const { questions, printed } = await init(
    [],
    ['dialog.acme.example', '', '', 'Fieldnotes <login@acme.example>', ''],
  )
  expect(questions).toHaveLength(5)
  expect(questions[1]).toContain('[https://wallet.acme.example]')
  expect(readEnv()).toEqual({
    DIALOG_ORIGIN: 'https://dialog.acme.example',
    WALLET_ORIGIN: 'https://wallet.acme.example',
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'Fieldnotes <login@acme.example>',
    DATA_DIR: join(folder, 'data'),
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const key = join(folder, 'data', 'keys', 'master.key')
  expect(readMasterKeys(key)).toHaveLength(1)
  expect([key, join(folder, '.env')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  expect(readdirSync(folder).toSorted()).toEqual(['.env', 'data'])
  expect(printed.slice(-2)).toEqual([
    'Next: latchkey doctor --env-file .env',
    'Then: latchkey serve --env-file .env',
  ])
})

it('asks again after an invalid answer', async () => {
  const { questions, printed } = await init(everyOption.slice(2), [
    'http://dialog.example',
    'https://wallet.test/path',
    'dialog.example',
  ])
  expect(questions).toHaveLength(3)
  expect(printed[0]).toMatch(/^DIALOG_ORIGIN must be https/)
  expect(readEnv().DIALOG_ORIGIN).toBe('https://dialog.example')
})

it('writes the options without a terminal, and a server reads the same values', async () => {
  await init([
    ...everyOption,
    '--out',
    'production.env',
    '--database-url',
    'postgres://latchkey@db.example/latchkey',
  ])
  const variables = readEnv('production.env')
  expect(missingVariables(variables)).toEqual([])
  expect(parseConfig(variables)).toMatchObject({
    walletOrigin: 'https://wallet.test',
    databaseUrl: 'postgres://latchkey@db.example/latchkey',
    masterKeyFile: join(folder, 'state', 'keys', 'master.key'),
  })
  expect(variables).toMatchObject({
    SMTP_URL: 'smtps://user:p%27w#d@smtp.example',
    MAIL_FROM: "Ada's Notes <login@example.com>",
  })
})

it('without a terminal, names the options that are missing and writes nothing', async () => {
  await expect(init(everyOption.slice(0, 4))).rejects.toThrow(
    new InitRefusal(
      'There is no terminal to ask at. Add --smtp-url, --mail-from, --data-dir, or --yes for the defaults.',
    ),
  )
  await expect(init(['--yes'])).rejects.toThrow('Add --dialog-origin.')
  expect(readdirSync(folder)).toEqual([])
})

it('with --yes, uses the defaults of the other answers without a question', async () => {
  await init(['--yes', '--dialog-origin', 'dialog.example'], [])
  expect(readEnv()).toMatchObject({
    WALLET_ORIGIN: 'https://wallet.dialog.example',
    MAIL_FROM: 'login@dialog.example',
  })
})

it('refuses invalid options and writes nothing', async () => {
  await expect(init([...everyOption.slice(2), '--dialog-origin', 'https://wallet.test'])).rejects.toThrow(
    /^WALLET_ORIGIN must have another hostname than DIALOG_ORIGIN/,
  )
  expect(readdirSync(folder)).toEqual([])
})

it('overwrites neither an .env file nor a key file', async () => {
  await init(everyOption)
  const key = join(folder, 'state', 'keys', 'master.key')
  const [env, keyText] = [readFileSync(join(folder, '.env'), 'utf8'), readFileSync(key, 'utf8')]
  await expect(init(everyOption)).rejects.toThrow(`${join(folder, '.env')} already exists.`)
  const { printed } = await init([...everyOption, '--out', 'second.env'])
  expect(printed[0]).toBe(`Kept ${key}, which exists already.`)
  expect([readFileSync(join(folder, '.env'), 'utf8'), readFileSync(key, 'utf8')]).toEqual([env, keyText])
})

it('refuses a value that no .env file can contain', () => {
  expect(() => formatEnvFile({ MAIL_FROM: `'"` })).toThrow(InitRefusal)
})

it('deploy/.env.example has exactly the five required variables, with valid values', () => {
  const example = parseEnv(readFileSync(join(import.meta.dirname, '../../../deploy/.env.example'), 'utf8'))
  expect(Object.keys(example).toSorted()).toEqual([
    ...['DATA_DIR', 'DIALOG_ORIGIN', 'MAIL_FROM', 'SMTP_URL', 'WALLET_ORIGIN'],
  ])
  expect(missingVariables(example)).toEqual([])
  expect(parseConfig(example).masterKeyFile).toBe('/var/lib/latchkey/keys/master.key')
})
