// npm run chart: writes the Helm chart of deploy/chart from the manifests of deploy/kubernetes. Each value replaces a
// text of a manifest; the command fails if a manifest no longer has that text.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

type Replacement = [text: string, template: string]

const image = '{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}'
const secret: Replacement = ['secretRef: { name: latchkey }', 'secretRef: { name: {{ .Values.secret }} }']
const resources: Replacement = [
  `          resources:
            requests: { cpu: 100m, memory: 160Mi }
            limits: { memory: 512Mi }`,
  '          resources: {{ toJson .Values.resources }}',
]
const dialog: Replacement = ['dialog.example', '{{ .Values.hostnames.dialog }}']
const wallet: Replacement = ['wallet.example', '{{ .Values.hostnames.wallet }}']

/** The variables that the chart sets itself. Jobs before an upgrade cannot read the new ConfigMap. */
const jobEnvironment = `          env:
            - { name: DIALOG_ORIGIN, value: "https://{{ .Values.hostnames.dialog }}" }
            - { name: WALLET_ORIGIN, value: "https://{{ .Values.hostnames.wallet }}" }
            {{- range $name, $value := .Values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          envFrom:`

const templates: Readonly<Record<string, { replace: Replacement[]; if?: string }>> = {
  'settings.yaml': {
    replace: [
      dialog,
      wallet,
      [
        `  MAIL_FROM: Fieldnotes <login@example.com>
  # The network of the pods of your ingress controller.
  TRUSTED_PROXIES: 10.0.0.0/8
  MASTER_KEY_FILE: /etc/latchkey/keys/master.key
  DRAIN_MS: "15000"
`,
        `  {{- range $name, $value := .Values.settings }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}
`,
      ],
    ],
  },
  'migrate.yaml': {
    replace: [
      [
        '  name: latchkey-migrate\n',
        `  name: latchkey-migrate
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation
`,
      ],
      [`image: latchkey:${version}`, `image: ${image}`],
      ['          envFrom:\n            - configMapRef: { name: latchkey }\n', `${jobEnvironment}\n`],
      secret,
      resources,
    ],
  },
  'server.yaml': {
    replace: [
      ['  replicas: 2\n', '  replicas: {{ .Values.replicas }}\n'],
      [
        `  template:
    metadata:
`,
        `  template:
    metadata:
      annotations:
        # New settings replace the pods.
        checksum/settings: {{ printf "%s %s" (toJson .Values.hostnames) (toJson .Values.settings) | sha256sum }}
`,
      ],
      [
        'terminationGracePeriodSeconds: 30',
        'terminationGracePeriodSeconds: {{ add (div (int .Values.settings.DRAIN_MS) 1000) 15 }}',
      ],
      ['image: latchkey\n', `image: ${image}\n`],
      secret,
      resources,
      ['secretName: latchkey-keys', 'secretName: {{ .Values.keysSecret }}'],
    ],
  },
  'network-policy.yaml': {
    if: '.Values.networkPolicy.enabled',
    replace: [
      [
        'kubernetes.io/metadata.name: ingress }',
        'kubernetes.io/metadata.name: {{ .Values.networkPolicy.ingressNamespace }} }',
      ],
    ],
  },
  'ingress.yaml': {
    if: '.Values.ingress.enabled',
    replace: [
      [
        '  name: latchkey\nspec:\n',
        `  name: latchkey
  annotations: {{ toJson .Values.ingress.annotations }}
spec:
  {{- with .Values.ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
`,
      ],
      ['secretName: latchkey-tls', 'secretName: {{ .Values.ingress.tlsSecret }}'],
      dialog,
      wallet,
    ],
  },
  'gateway.yaml': {
    if: '.Values.gateway.enabled',
    replace: [['    - name: latchkey\n', '    - name: {{ .Values.gateway.name }}\n'], dialog, wallet],
  },
}

const values = `# The values of the chart. docs/deployment.md describes the two secrets, which must exist before.

image:
  repository: latchkey
  # The version of the chart if it is empty.
  tag: ""
replicas: 2

hostnames:
  dialog: dialog.example
  wallet: wallet.example

# Environment variables that are no secret. docs/reference/environment.md lists all.
settings:
  MAIL_FROM: Fieldnotes <login@example.com>
  # The network of the pods of your ingress controller.
  TRUSTED_PROXIES: 10.0.0.0/8
  MASTER_KEY_FILE: /etc/latchkey/keys/master.key
  DRAIN_MS: "15000"

# Has SMTP_URL and DATABASE_URL, and further variables that are secret.
secret: latchkey
# Has master.key.
keysSecret: latchkey-keys

ingress:
  enabled: true
  className: ""
  annotations: {}
  tlsSecret: latchkey-tls
# Replaces the ingress on the Gateway API.
gateway:
  enabled: false
  name: latchkey

networkPolicy:
  enabled: true
  # The namespace of your ingress controller.
  ingressNamespace: ingress

resources:
  requests: { cpu: 100m, memory: 160Mi }
  limits: { memory: 512Mi }
`

/** Returns the files of the chart by path. */
export function createChart(): Map<string, string> {
  const files = new Map([
    [
      'Chart.yaml',
      `apiVersion: v2
name: latchkey
description: A self-hosted login and wallet dialog
type: application
version: ${version}
appVersion: "${version}"
kubeVersion: ">=1.27.0-0"
`,
    ],
    ['values.yaml', values],
  ])
  for (const [file, { replace, if: condition }] of Object.entries(templates)) {
    const manifest = readFileSync(join(root, 'deploy/kubernetes', file), 'utf8')
    const template = replace.reduce(
      (text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`deploy/kubernetes/${file} has no "${from}"`)
        return text.replaceAll(from, to)
      },
      manifest.replace(/^(?:#.*\n)+/, ''),
    )
    const guarded = condition ? `{{- if ${condition} }}\n${template}{{- end }}\n` : template
    files.set(
      `templates/${file}`,
      `{{- /* Written by \`npm run chart\` from deploy/kubernetes/${file}. Do not edit. */ -}}\n${guarded}`,
    )
  }
  return files
}

if (import.meta.main) {
  const chart = join(import.meta.dirname, 'chart')
  rmSync(chart, { recursive: true, force: true })
  for (const [path, text] of createChart()) {
    mkdirSync(dirname(join(chart, path)), { recursive: true })
    writeFileSync(join(chart, path), text)
  }
}
