import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMasterKeyFile, newMasterKey, readMasterKeys } from './master-key.ts'

test('a key file that is there stays as it is, and whoever came second leaves nothing behind', ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'keys', 'master.key')
  const first = newMasterKey()
  createMasterKeyFile(file, [first])
  const written = readFileSync(file)
  expect(() => createMasterKeyFile(file, [newMasterKey()])).toThrow(
    expect.objectContaining({ code: 'EEXIST' }),
  )
  expect(readFileSync(file)).toEqual(written)
  expect(readMasterKeys(file)[0].id).toBe(first.id)
  expect(readdirSync(join(folder, 'keys'))).toEqual(['master.key'])
})
