/** Names and units of the instruments, and the documents that list them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Declared, declaredInstruments } from '../../kernel/telemetry/instruments.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

let declared: readonly Declared[] = []
beforeAll(async () => {
  // Modules with instruments that are loaded on demand.
  await Promise.all([
    import('../server.ts'),
    import('./process.ts'),
    import('../../kernel/db/postgres-pool.ts'),
  ])
  declared = declaredInstruments()
})

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }
const label = (name: string) => name.replaceAll('.', '_')
const nameInPrometheus = ({ name, unit, kind }: Declared) =>
  label(name) + (suffixes[unit] ?? '') + (kind === 'counter' ? '_total' : '')

// https://github.com/open-telemetry/semantic-conventions/tree/main/docs: http, database, runtime
test.each<[string, string, Declared['kind'], readonly string[]]>([
  [
    'http.server.request.duration',
    's',
    'histogram',
    ['http.request.method', 'http.route', 'http.response.status_code', 'url.scheme', 'error.type'],
  ],
  ['http.server.active_requests', '{request}', 'up-down counter', ['http.request.method', 'url.scheme']],
  [
    'http.client.request.duration',
    's',
    'histogram',
    ['http.request.method', 'server.address', 'http.response.status_code', 'error.type'],
  ],
  ['db.client.operation.duration', 's', 'histogram', ['db.system.name', 'db.operation.name', 'error.type']],
  [
    'db.client.connection.count',
    '{connection}',
    'up-down counter',
    ['db.client.connection.pool.name', 'db.client.connection.state'],
  ],
  ['db.client.connection.max', '{connection}', 'up-down counter', ['db.client.connection.pool.name']],
  [
    'db.client.connection.pending_requests',
    '{request}',
    'up-down counter',
    ['db.client.connection.pool.name'],
  ],
  ['process.cpu.time', 's', 'counter', ['cpu.mode']],
  ['process.memory.usage', 'By', 'up-down counter', []],
  ['nodejs.eventloop.delay.p99', 's', 'gauge', []],
])('%s has the unit, the kind and the attributes of the conventions', (name, unit, kind, attributes) => {
  expect(declared.find((one) => one.name === name)).toMatchObject({ unit, kind, attributes })
})

test('every other instrument has the product prefix and a valid unit', () => {
  const conventions = /^(?:http|db|process|nodejs)\./
  const own = declared.filter(({ name }) => !conventions.test(name))
  expect(own.length).toBeGreaterThan(10)
  for (const { name, unit, description } of own) {
    expect(name).toMatch(/^latchkey(\.[a-z]+)+$/)
    expect(unit).toMatch(/^(s|\{[a-z]+\})$/)
    expect(description).toMatch(/^[A-Z].*[^.]$/)
  }
})

test('no attribute identifies a person, an app, an address or a concrete path', () => {
  const attributes = new Set(declared.flatMap((one) => one.attributes))
  const known = [
    'channel',
    'chain',
    'check',
    'commit',
    'cpu.mode',
    'db.client.connection.pool.name',
    'db.client.connection.state',
    'db.operation.name',
    'db.system.name',
    'error.type',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'kind',
    'method',
    'origin',
    'outcome',
    'place',
    'purpose',
    'reason',
    'server.address',
    'url.scheme',
    'version',
  ]
  expect([...attributes].sort()).toEqual([...known].sort())
})

/** Returns the cells of all table rows between two headings of a page. */
function parseTableRows(page: string, from: string, to: string): readonly (readonly string[])[] {
  const part = page.slice(page.indexOf(from), page.indexOf(to, page.indexOf(from)))
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

describe('the operating manual', () => {
  const page = read('docs/operating.md')

  test('the manual lists every alert, and no others', () => {
    const alerts = [...read('deploy/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const documented = parseTableRows(page, '### Alerts', '### Traces').flatMap(([names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect(documented.sort()).toEqual(alerts.sort())
  })
})

test.each(['deploy/alerts.yml', 'deploy/alerts.test.yml', 'deploy/grafana-board.json'])(
  '%s uses only existing metrics',
  (path) => {
    const names = new Set(
      declared.flatMap((one) => {
        const name = nameInPrometheus(one)
        return one.kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`, name] : [name]
      }),
    )
    const found = new Set(
      [
        ...read(path).matchAll(
          /\b(?:latchkey|http_(?:server|client)|db_client|nodejs|process_(?:cpu|memory))_\w+/g,
        ),
      ]
        .map(([name]) => name)
        .filter((name) => !declared.some(({ attributes }) => attributes.some((one) => label(one) === name))),
    )
    expect(found.size).toBeGreaterThan(8)
    expect([...found].filter((name) => !names.has(name))).toEqual([])
  },
)

test('the Grafana board states that it is untested, and each panel has a query', () => {
  const board = JSON.parse(read('deploy/grafana-board.json'))
  expect(board.description).toContain('No test opens this board in Grafana')
  for (const { title, targets } of board.panels) expect([title, targets.length > 0]).toEqual([title, true])
})
