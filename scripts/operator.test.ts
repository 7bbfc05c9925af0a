import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What a tool of the operator is started with. */
function environmentOfTool(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'))
  try {
    const tool = join(folder, 'tool.mjs')
    writeFileSync(tool, 'console.log(JSON.stringify(process.env))')
    const { PATH = '' } = process.env
    const output = execFileSync(process.execPath, [join(root, 'scripts/operator.mjs'), tool], {
      env: { PATH, ...given },
      encoding: 'utf8',
    })
    return JSON.parse(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('an operator’s tool works on the server that the environment names', () => {
  const given = {
    DIALOG_ORIGIN: 'https://dialog.fieldnotes.example',
    WALLET_ORIGIN: 'https://wallet.fieldnotes.example',
    DATABASE_URL: 'postgres://127.0.0.1/fieldnotes',
    PORT: '4500',
  }
  expect(environmentOfTool(given)).toMatchObject(given)
})

test('without one it works on the product of this machine, by its ports', () => {
  expect(environmentOfTool({ LATCHKEY_PORT_BASE: '7000' })).toMatchObject({
    DIALOG_ORIGIN: 'http://dialog.localhost:7000',
    WALLET_ORIGIN: 'http://wallet.localhost:7000',
  })
})
