import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMasterKeyFile, newMasterKey, readMasterKeys } from './master-key.ts'

test('keeps an existing key file, and a failed creation leaves no files behind', ({ onTestFinished }) => {
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
