import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { operatorEnvironment } from './local.ts'

const root = join(import.meta.dirname, '../..')
afterEach(() => vi.unstubAllEnvs())

/** Returns the environment of an operator tool. */
function environmentOfTool(given: Readonly<Record<string, string>>) {
  for (const name of ['DIALOG_ORIGIN', 'DATABASE_URL', 'SMTP_URL']) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  return operatorEnvironment()
}

test('an operator tool uses the server that the environment names', () => {
  const given = {
    DIALOG_ORIGIN: 'https://dialog.fieldnotes.example',
    WALLET_ORIGIN: 'https://wallet.fieldnotes.example',
    DATABASE_URL: 'postgres://127.0.0.1/fieldnotes',
    PORT: '4500',
  }
  expect(environmentOfTool(given)).toMatchObject(given)
})

test('an operator tool with a hosted origin uses the data of npm run serve, without the sandbox', () => {
  const found = environmentOfTool({ DIALOG_ORIGIN: 'https://dialog.fieldnotes.example' })
  expect(found).toMatchObject({
    DATA_DIR: join(root, '.data/production'),
  })
  expect(found.DATABASE_URL).toBeUndefined()
  expect(found.OAUTH_PROVIDERS_URL).toBeUndefined()
  expect(found.SMTP_URL).toBeUndefined()
})

test('an operator tool without an origin uses the local product, by its ports', () => {
  expect(environmentOfTool({ LATCHKEY_PORT_BASE: '7000' })).toMatchObject({
    DIALOG_ORIGIN: 'http://dialog.localhost:7000',
    WALLET_ORIGIN: 'http://wallet.localhost:7000',
  })
})
