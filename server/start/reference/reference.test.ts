import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documentedVariables } from '../unknown-variables.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

describe('docs/reference/environment.md', () => {
  const rows = read('docs/reference/environment.md').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)
  const cells = new Map([...rows].map(([, name = '', rest = '']) => [name, rest.split(' | ')]))

  it('has a sentence for every variable', () => {
    expect([...cells.keys()].toSorted()).toEqual(documentedVariables.toSorted())
    for (const [name, [, , , , meaning = '']] of cells)
      expect([name, meaning]).toEqual([name, expect.stringMatching(/\.\)?$/)])
  })

  it('marks the five required variables and the secrets', () => {
    const names = (column: number) =>
      [...cells].filter(([, values]) => values[column] === 'yes').map(([name]) => name)
    expect(names(0).toSorted()).toEqual([
      'DATA_DIR',
      'DIALOG_ORIGIN',
      'MAIL_FROM',
      'SMTP_URL',
      'WALLET_ORIGIN',
    ])
    expect(names(2)).toEqual(
      expect.arrayContaining(['SMTP_URL', 'DATABASE_URL', 'OAUTH_GOOGLE', 'OAUTH_APPLE']),
    )
  })
})
