// The import rules of the repository, as a configuration of dependency-cruiser. `npm run check` runs it. swc parses the
// sources, because TypeScript 7 exports no parser.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages of this repository that each package may import. */
const mayImport = {
  protocol: [],
  loader: ['protocol'],
  'dialog-app': ['protocol'],
  'wallet-frame': ['protocol'],
  dashboard: ['protocol'],
  server: ['protocol'],
  sandbox: [],
  demo: ['loader', 'protocol'],
  'sdk/server': [],
  'sdk/migrate': [],
  'sdk/sandbox': [],
  // Its tests verify mock tokens as a backend does.
  'sdk/testing': ['loader', 'sdk/server', 'sdk/sandbox'],
  e2e: ['protocol', 'loader', 'sdk/server', 'sdk/sandbox', 'sdk/testing'],
}

/**
 * The floors of each package, from the top. A folder imports only folders on lower floors. Folders on one floor do not
 * import each other. Tests are exempt.
 */
const floors = {
  protocol: [
    ['doc'],
    ['host-page'],
    ['admin', 'api', 'host', 'wallet', 'reading'],
    ['capabilities'],
    ['rows'],
    ['browser', 'vault', 'windows', 'chains'],
    ['channel', 'entities'],
    ['names', 'origins', 'errors', 'limits', 'texts'],
  ],
  loader: [
    ['react', 'wagmi', 'conformance', 'fake'],
    ['start', 'state'],
    ['lazy'],
    ['client'],
    ['calls'],
    ['provider'],
    ['frame'],
    ['types'],
  ],
  'dialog-app': [
    ['start', 'gallery'],
    ['capabilities'],
    ['webauthn'],
    ['window-login', 'phone-app', 'walletconnect'],
    ['contract'],
    ['approval', 'shell'],
    ['app'],
    ['host', 'wallet', 'ui'],
    ['session'],
    ['api', 'chains', 'flow'],
    ['theme', 'i18n'],
    ['browser'],
  ],
  dashboard: [['start'], ['screens'], ['shell'], ['ui'], ['api']],
  server: [
    ['start'],
    ['platform'],
    ['account'],
    ['login'],
    ['wallet'],
    ['pages'],
    ['identity'],
    ['integrations'],
    ['kernel'],
  ],
}

const folders = Object.keys(mayImport)
const anyOf = (names) => `(?:${names.join('|')})`
const anyFolder = anyOf(folders)

const readManifest = (folder) =>
  JSON.parse(readFileSync(join(import.meta.dirname, folder, 'package.json'), 'utf8'))
const dependencyNames = (folder) => {
  const { dependencies, devDependencies, peerDependencies } = readManifest(folder)
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
}
const declaredNames = ['.', ...folders].flatMap(dependencyNames)

/** The package for tests of host pages, `sdk/testing`, ships its folders. */
export const tests = String.raw`[.](test|test-d|browser[.]test)[.]tsx?$|(^|/)test-[\w-]+[.]tsx?$|(?<!^sdk)(^|/)(tests?|testing|fixtures)/`
const configs = String.raw`(^|/)[\w.-]+[.]config[.][mc]?[jt]s$`
const builds = String.raw`^(sdk/)?[\w-]+/build/`

const packageRules = [
  ...folders.flatMap((folder) => {
    const declared = dependencyNames(folder)
    const undeclared = folders.filter(
      (other) => other !== folder && !declared.includes(readManifest(other).name),
    )
    return [
      {
        name: `${folder}-packages`,
        comment: `Of our packages, ${folder} imports only: ${mayImport[folder].join(', ') || 'none'}.`,
        from: { path: `^${folder}/` },
        to: { path: `^${anyFolder}/`, pathNot: `^${anyOf([folder, ...mayImport[folder]])}/` },
      },
      {
        name: `${folder}-declares-packages`,
        comment:
          'A package declares our packages that it imports. An install of one workspace contains no others.',
        from: { path: `^${folder}/` },
        to: { path: `^${anyOf(undeclared)}/`, pathNot: `^${folder}/` },
      },
    ]
  }),
  {
    name: 'package-by-name',
    comment: 'Import another package by its name, not by a path.',
    from: { path: `^(${anyFolder})/` },
    to: { path: `^${anyFolder}/`, pathNot: '^$1/', dependencyTypes: ['local'] },
  },
  {
    name: 'demo-page',
    comment: 'The demo imports only the loader, as a customer does. Its build also lists the languages.',
    from: { path: '^demo/', pathNot: configs },
    to: { path: '^protocol/' },
  },
  {
    name: 'no-scripts-in-packages',
    comment: 'Only tests import scripts/.',
    from: { path: `^${anyFolder}/`, pathNot: ['^e2e/', tests] },
    to: { path: '^scripts/' },
  },
  {
    name: 'inside-repository',
    comment: 'An import stays inside the repository.',
    from: {},
    to: { path: '^[.][.]/' },
  },
  {
    name: 'resolvable',
    comment: 'An import names an existing file or an entry in the exports of a package.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'declared-dependency',
    comment: 'Shipped code imports only dependencies of its own package.json.',
    from: { path: `^${anyFolder}/`, pathNot: [tests, configs, builds, '^e2e/'] },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'declared-tool',
    comment: 'Tests and tools import only dependencies that one of our package.json files declares.',
    from: { path: [tests, configs, builds, '^e2e/', '^scripts/'] },
    to: { path: '^node_modules/', pathNot: `^node_modules/(@types/)?${anyOf(declaredNames)}/` },
  },
]

const floorRules = Object.entries(floors).flatMap(([folder, table]) => [
  ...table.map((names, index) => ({
    name: `${folder}-floor-${names.join('-')}`,
    comment: `In ${folder}, ${names.join(', ')} import only: ${
      table
        .slice(index + 1)
        .flat()
        .join(', ') || 'nothing'
    }.`,
    from: { path: `^${folder}/(${anyOf(names)})/`, pathNot: tests },
    to: { path: `^${folder}/${anyOf(table.slice(0, index + 1).flat())}/`, pathNot: `^${folder}/$1/` },
  })),
  {
    name: `${folder}-root`,
    comment: 'No folder imports the root of its package, which holds only entries.',
    from: { path: `^${folder}/${anyOf(table.flat())}/`, pathNot: tests },
    to: { path: `^${folder}/[^/]+$`, pathNot: '/package[.]json$' },
  },
  {
    name: `${folder}-placed`,
    comment: 'A source lies on a floor of its package. A source elsewhere has no rules.',
    from: {
      path: `^${folder}/`,
      pathNot: [`^${folder}/(?:${anyOf([...table.flat(), 'build', 'testing'])}/|index[.]ts$)`, configs],
    },
    to: {},
  },
])

/** These folders of the server serve every area. */
const sharedKernel = '^server/kernel/(?:(?:app-settings|db|http|telemetry)/|[^/]+$)'
const area = `server/${anyOf(floors.server.slice(1).flat())}/[^/]+(?=/)`
/** An area has one entry, for example `server/identity/users/users.ts`. */
const areaEntry = String.raw`^server/[^/]+/([^/]+)/\1[.]ts$`

const serverRules = [
  {
    name: 'server-area-entry',
    comment: 'Import an area of the server through its <area>.ts.',
    from: { path: `^(${area})/`, pathNot: [tests, sharedKernel] },
    to: { path: `^${area}/`, pathNot: ['^$1/', sharedKernel, areaEntry] },
  },
  {
    name: 'server-login-shared',
    comment: 'Only login methods import the files that all login methods share.',
    from: { path: `^${area}/`, pathNot: [tests, sharedKernel, '^server/login/'] },
    to: { path: '^server/login/[^/]+$' },
  },
  {
    name: 'server-login-method-entry',
    comment: 'The shared files of login methods import a method through its <method>.ts.',
    from: { path: '^server/login/[^/]+$', pathNot: tests },
    to: { path: '^server/login/[^/]+/', pathNot: areaEntry },
  },
]

const dialogCore = [
  '^dialog-app/(?:contract|host|wallet|session|api|chains|flow|browser)/',
  '^dialog-app/approval/[^/]+$',
  '^dialog-app/.*(?:/flow[^/]*|-flow|-state|-call)[.]ts$',
]

const dialogRules = [
  {
    name: 'dialog-core-without-react',
    comment: 'The core of the dialog and its flows load no React. They may import its types.',
    // Pictures are part of the gallery only.
    from: { path: dialogCore, pathNot: '^dialog-app/contract/picture[.]ts$' },
    to: {
      path: '^node_modules/(?:react|react-dom|jotai)/',
      pathNot: '^node_modules/jotai/dist/vanilla',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'dialog-core-without-ui',
    comment: 'The core of the dialog and its flows import no shell and no component.',
    from: { path: dialogCore },
    to: { path: '^dialog-app/(?:shell|ui)/' },
  },
  {
    name: 'dialog-capability-lists',
    comment: 'Only the lists of capabilities name a capability. The lists in lazy/ load later.',
    from: { path: '^dialog-app/', pathNot: ['^dialog-app/capabilities/', tests] },
    to: { path: '^dialog-app/capabilities/(?!lazy/)[^/]+/' },
  },
]

/** Each page imports a worker by its address, `?worker&url`. scripts/checks/import-forms.ts refuses other imports. */
const vaultWorkers = '^wallet-frame/vault/(?:(?:export|import)/)?worker[.]ts$'
const vaultContracts = '^wallet-frame/vault/(?:(?:export|import)/)?contract(?:/|[.]ts$)'
const vaultSealing = [
  '^wallet-frame/vault/shares/sealing[.]ts$',
  '^wallet-frame/vault/keys/secret-bytes[.]ts$',
]
const vaultChecksum = '^wallet-frame/vault/keys/checksum[.]ts$'

const walletPageRules = [
  {
    name: 'wallet-page-vault',
    comment: 'A page of the wallet frame imports only the contract of the vault.',
    from: {
      path: '^wallet-frame/(?!vault/|confirm/|recovery-window/|cross-app/)',
      pathNot: [tests, configs],
    },
    to: { path: '^wallet-frame/vault/', pathNot: [vaultContracts, vaultWorkers] },
  },
  {
    name: 'confirmation-page-vault',
    comment:
      'The confirmation page reads a request with the same code that signs it, and imports no more of the vault.',
    from: { path: '^wallet-frame/confirm/', pathNot: tests },
    to: {
      path: '^wallet-frame/vault/',
      pathNot: ['^wallet-frame/vault/signing/(?!index[.]ts$|signature[.]ts$)', vaultChecksum],
    },
  },
  {
    name: 'recovery-window-vault',
    comment: 'The recovery window seals secrets to the vault, and imports no more of it.',
    from: { path: '^wallet-frame/recovery-window/', pathNot: tests },
    to: { path: '^wallet-frame/vault/', pathNot: vaultSealing },
  },
  {
    name: 'cross-app-page-vault',
    comment: 'The page of wallets across apps confirms requests and seals secrets to its own vault.',
    from: { path: '^wallet-frame/cross-app/', pathNot: tests },
    to: {
      path: '^wallet-frame/vault/',
      pathNot: [vaultContracts, vaultWorkers, ...vaultSealing, vaultChecksum],
    },
  },
  {
    name: 'vault-without-pages',
    comment: 'The vault imports no page. Files beside main.ts, such as a clock, are for both.',
    from: { path: '^wallet-frame/vault/', pathNot: tests },
    to: { path: '^wallet-frame/(?:main[.]ts$|(?!vault/)[^/]+/)' },
  },
  {
    name: 'vault-without-browser-code',
    comment: 'The vault contains no code of pages: no HTTP client, approval gate or clipboard.',
    from: { path: '^wallet-frame/vault/', pathNot: tests },
    to: { path: '^protocol/browser/', reachable: true },
  },
]

const errors = (rules) => rules.map((rule) => ({ severity: 'error', ...rule }))

const options = {
  parser: 'swc',
  // Imports of types count.
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: {
    path: [
      `^${anyFolder}/(?:dist|releases)/`,
      // These folders have a package.json that is no workspace.
      '^sdk/migrate/examples/',
      '^e2e/clients/(?:pages/|vite[.]config|node_modules|dist)',
      '^e2e/bench/peers/',
    ],
  },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['latchkey-source', 'import', 'node', 'default'],
    extensions: ['.ts', '.tsx', '.mts', '.d.ts', '.mjs', '.js', '.json'],
  },
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: errors([
    ...packageRules,
    ...floorRules,
    ...serverRules,
    ...dialogRules,
    ...walletPageRules,
    {
      name: 'no-circular-files',
      comment: 'No two files import each other, also not by types. A screen may load another on demand.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
  ]),
  options,
}
