/** Tests of the systemd unit in deploy/. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingVariables } from '../../server/start/required.ts'

const root = join(import.meta.dirname, '../..')
const unit = readFileSync(join(root, 'deploy/latchkey.service'), 'utf8')
const readField = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

test('the unit starts the server of its folder', () => {
  const folder = readField('WorkingDirectory')
  const [node = '', ...args] = readField('ExecStart').replaceAll(`${folder}/`, `${root}/`).split(' ')
  const { status, stderr } = spawnSync(node, args, { cwd: root, env: {}, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('These variables are missing:\n  DIALOG_ORIGIN '),
  ])
})

test('the environment of the unit has every variable that the server needs', () => {
  const printed = Object.fromEntries(
    [...unit.matchAll(/^# {3}(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(missingVariables(printed)).toEqual([])
})
