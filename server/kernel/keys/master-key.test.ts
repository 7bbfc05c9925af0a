import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMasterKeyFile, isExposed, newMasterKey, readMasterKeys } from './master-key.ts'

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

test.each([
  { mode: 0o100600, uid: 65532, exposed: false },
  { mode: 0o100640, uid: 65532, exposed: true },
  { mode: 0o100604, uid: 65532, exposed: true },
  { mode: 0o100440, uid: 0, exposed: false },
  { mode: 0o100460, uid: 0, exposed: true },
  { mode: 0o100444, uid: 0, exposed: true },
])(
  'a key file of user $uid with mode $mode is exposed to another user than root: $exposed',
  ({ exposed, ...file }) => {
    expect(isExposed(file, 65532)).toBe(exposed)
  },
)

test('a key file that its group can read is exposed if the server runs as root', () => {
  expect(isExposed({ mode: 0o100440, uid: 0 }, 0)).toBe(true)
})
