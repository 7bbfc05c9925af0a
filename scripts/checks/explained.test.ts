import { describe, expect, test } from 'vitest'
import { unexplained } from './explained.ts'

const manifest = { dependencies: { pg: '1.0.0' }, devDependencies: { '@types/pg': '1.0.0' } }

describe('unexplained accepts a dependency with a reason', () => {
  test.each([
    ['in a sentence', 'It runs. `pg` speaks to PostgreSQL, and `@types/pg` types it. It ends.'],
    [
      'in a table',
      '| package | why |\n| --- | --- |\n| `pg` | speaks to PostgreSQL |\n| `@types/pg` | its types |',
    ],
    ['two in one row', '| `pg`, `@types/pg` | PostgreSQL, and its types |'],
    ['in a list', 'Dependencies:\n\n- `pg`: speaks to PostgreSQL\n- `@types/pg`: its types'],
    ['before its name', 'What speaks to PostgreSQL is `pg`, typed by `@types/pg`.'],
  ])('%s', (_where, readme) => {
    expect(unexplained(manifest, readme)).toEqual([])
  })
})

describe('unexplained returns a dependency without a reason', () => {
  test.each([
    ['no word of it', 'It speaks to PostgreSQL with pg and @types/pg.', ['pg', '@types/pg']],
    ['a bare list', 'It has dependencies.\n\n`pg`, `@types/pg`\n\nThey are small.', ['pg', '@types/pg']],
    ['a row without a reason', '| `pg` | speaks to PostgreSQL |\n| `@types/pg` | |', ['@types/pg']],
    ['a longer name of the same beginning', '`pg-pool` keeps connections; `@types/pg` types them.', ['pg']],
  ])('%s', (_what, readme, names) => {
    expect(unexplained(manifest, readme)).toEqual(names)
  })

  test('in every list of dependencies', () => {
    const all = { peerDependencies: { react: '1.0.0' }, optionalDependencies: { fsevents: '1.0.0' } }
    expect(unexplained(all, 'Nothing is said.')).toEqual(['react', 'fsevents'])
  })
})
