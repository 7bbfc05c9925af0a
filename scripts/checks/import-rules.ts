// Who may import whom, as one table. `imports.ts` reads the sources and holds them to it.
//
// Each rule says in its name what is required, and is met when no import matches both of its sides. `$1` stands for
// what the first group of `from.path` matched.

import type { IForbiddenRuleType } from 'dependency-cruiser'

type ImportRule = IForbiddenRuleType

/** The packages of ours that each package may name. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  loader: ['protocol'],
  'dialog-app': ['protocol'],
  'wallet-frame': ['protocol'],
  server: ['protocol'],
  sandbox: [],
  demo: ['loader'],
  'sdk/server': [],
  'sdk/migrate': [],
  'sdk/sandbox': [],
  // Its tests verify the tokens of the mock as a backend does.
  'sdk/testing': ['loader', 'sdk/server', 'sdk/sandbox'],
  e2e: ['protocol', 'loader', 'sdk/server', 'sdk/sandbox', 'sdk/testing'],
}

/** Circles that are still there. One that is gone has to leave this list, so the list can only become shorter. */
export const knownCircles: readonly (readonly string[])[] = []

export const packageFolders = Object.keys(mayImport)
/** The package for tests of hosts, in `sdk/testing`, ships what is in it. */
export const testFiles = String.raw`[.](test|test-d|browser[.]test)[.]tsx?$|(^|/)test-[\w-]+[.]tsx?$|(?<!^sdk)(^|/)(tests?|testing|fixtures)/`
const configFiles = String.raw`(^|/)[\w.-]+[.]config[.][mc]?[jt]s$`
/** What builds a package, with the tools of the project, is no part of it. */
const buildFiles = String.raw`^(sdk/)?[\w-]+/build/`

const anyOf = (names: readonly string[]) => `(?:${names.join('|')})`
const anyPackage = anyOf(packageFolders)

const packages: readonly ImportRule[] = [
  ...Object.entries(mayImport).map(([folder, others]) => ({
    name: `of our packages, ${folder} imports ${others.join(', ') || 'none'}`,
    from: { path: `^${folder}/` },
    to: { path: `^${anyPackage}/`, pathNot: `^${anyOf([folder, ...others])}/` },
  })),
  {
    name: 'another package is named by its name, not by a path into it',
    from: { path: `^(${anyPackage})/` },
    to: { path: `^${anyPackage}/`, pathNot: '^$1/', dependencyTypes: ['local'] },
  },
  {
    name: 'nothing outside the packages is imported, but tests may use scripts/',
    from: { path: `^${anyPackage}/`, pathNot: ['^e2e/', testFiles] },
    to: { path: '^scripts/' },
  },
  {
    name: 'nothing outside the repository is imported',
    from: { path: `^${anyPackage}/` },
    to: { path: '^[.][.]/' },
  },
  {
    name: 'an import names a file that exists, or a door in the exports of a package',
    from: {},
    to: { couldNotResolve: true },
  },
]

/** `declared` are the dependencies of every package and of the root. */
const dependencies = (declared: readonly string[]): readonly ImportRule[] => [
  {
    name: 'what a package ships needs only what its own package.json names',
    from: { path: `^${anyPackage}/`, pathNot: [testFiles, configFiles, buildFiles, '^e2e/'] },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'tests and tools need only what some package.json of ours names',
    from: { path: [testFiles, configFiles, buildFiles, '^e2e/', '^scripts/'] },
    to: { path: '^node_modules/', pathNot: `^node_modules/(@types/)?${anyOf(declared)}/` },
  },
]

/**
 * The floors of each package, from the top: a folder imports only folders on floors below its own, and folders that
 * share a floor do not import each other. Tests put the parts of a package together in their own ways.
 */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  protocol: [
    ['doc'],
    ['host-page'],
    ['api', 'host', 'wallet', 'reading'],
    ['capabilities'],
    ['rows'],
    ['vault', 'windows', 'chains'],
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
    ['host', 'wallet', 'ui'],
    ['session'],
    ['api', 'chains', 'flow'],
    ['theme', 'i18n'],
    ['browser'],
  ],
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

const floorRules: readonly ImportRule[] = Object.entries(floors).flatMap(([folder, table]) => [
  ...table.map((onFloor, at) => ({
    name: `in ${folder}, ${onFloor.join(' and ')} may import ${
      table
        .slice(at + 1)
        .flat()
        .join(', ') || 'nothing'
    }`,
    from: { path: `^${folder}/(${anyOf(onFloor)})/`, pathNot: testFiles },
    to: { path: `^${folder}/${anyOf(table.slice(0, at + 1).flat())}/`, pathNot: `^${folder}/$1/` },
  })),
  {
    name: `in ${folder}, no folder imports the root, which holds its doors alone`,
    from: { path: `^${folder}/${anyOf(table.flat())}/`, pathNot: testFiles },
    to: { path: `^${folder}/[^/]+$`, pathNot: '/package[.]json$' },
  },
])

/** A source elsewhere would be on no floor, whatever it imports or is imported by. */
export const isOnNoFloor = (source: string) => {
  const [folder = ''] = source.split('/')
  const table = floors[folder]
  if (table === undefined) return false
  const isPlaced = new RegExp(`^${folder}/(?:${anyOf([...table.flat(), 'build', 'testing'])}/|index[.]ts$)`)
  return !isPlaced.test(source) && !new RegExp(configFiles).test(source)
}

/** These rooms of the server serve every area and are no area themselves, as what lies beside them is none. */
const notAnArea = '^server/kernel/(?:(?:app-settings|db|http|telemetry)/|[^/]+$)'
/** A room is an area, as each login method is one; `server/identity/users/users.ts` is the door of its area. */
const area = `server/${anyOf((floors.server ?? []).slice(1).flat())}/[^/]+(?=/)`
const door = String.raw`^server/[^/]+/([^/]+)/\1[.]ts$`

const server: readonly ImportRule[] = [
  {
    name: 'an area of the server is entered through its <area>.ts',
    from: { path: `^(${area})/`, pathNot: [testFiles, notAnArea] },
    to: { path: `^${area}/`, pathNot: ['^$1/', notAnArea, door] },
  },
  {
    name: 'what all login methods share is for login methods',
    from: { path: `^${area}/`, pathNot: [testFiles, notAnArea, '^server/login/'] },
    to: { path: '^server/login/[^/]+$' },
  },
  {
    name: 'what all login methods share enters a method through its <method>.ts',
    from: { path: '^server/login/[^/]+$', pathNot: testFiles },
    to: { path: '^server/login/[^/]+/', pathNot: door },
  },
]

const withoutReact = [
  '^dialog-app/(?:contract|host|wallet|session|api|chains|flow|browser)/',
  // What a step of an approval looks like stands beside the gate.
  '^dialog-app/approval/[^/]+$',
  '^dialog-app/.*(?:/flow[^/]*|-flow|-state)[.]ts$',
]

const dialog: readonly ImportRule[] = [
  {
    name: 'the core of the dialog and its flows start without React',
    from: { path: withoutReact },
    to: {
      path: '^node_modules/(?:react|react-dom|jotai)/',
      pathNot: '^node_modules/jotai/dist/vanilla',
      // A type loads nothing: the record of a screen says what its component is.
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'the core of the dialog and its flows know no shell and no component',
    from: { path: withoutReact },
    to: { path: '^dialog-app/(?:shell|ui)/' },
  },
  {
    name: 'a capability of the dialog imports no other capability',
    from: { path: '^dialog-app/capabilities/(?!lazy/)([^/]+)/' },
    to: { path: '^dialog-app/capabilities/[^/]+/', pathNot: '^dialog-app/capabilities/$1/' },
  },
  {
    name: 'the lists of capabilities alone name one',
    from: { path: '^dialog-app/', pathNot: ['^dialog-app/capabilities/', testFiles] },
    // What is in `lazy/` beside them are lists that come later.
    to: { path: '^dialog-app/capabilities/(?!lazy/)[^/]+/' },
  },
]

/** Of the wallet frame, and of the page that shows a key to its user. */
export const vaultWorkers = [
  'wallet-frame/vault/worker.ts',
  'wallet-frame/vault/export/worker.ts',
  'wallet-frame/vault/import/worker.ts',
]
/** The pages are all that is not the vault. */
const page = '^wallet-frame/(?!vault/)'
/** It reads what is to be signed, to the letter, with the code that signs it. */
const confirmPage = '^wallet-frame/confirm/'
/** It seals what its user gave to the vault that is to have it. */
const recoveryWindow = '^wallet-frame/recovery-window/'
/** Both, and it has a vault: it confirms what is signed, and takes what brings a wallet to its device. */
const crossAppPage = '^wallet-frame/cross-app/'
const contractsOfVault = '^wallet-frame/vault/(?:(?:export|import)/)?contract(?:/|[.]ts$)'

const walletFrame: readonly ImportRule[] = [
  {
    // The worker's file is named too, by its address; imports.ts refuses any other way to name it.
    name: 'the page of the wallet frame imports of the vault its contract only',
    from: { path: page, pathNot: [testFiles, configFiles, confirmPage, recoveryWindow, crossAppPage] },
    to: { path: '^wallet-frame/vault/', pathNot: [contractsOfVault, `^${anyOf(vaultWorkers)}$`] },
  },
  {
    name: 'the page of confirmations imports of the vault its readers of requests only',
    from: { path: confirmPage, pathNot: testFiles },
    to: {
      path: '^wallet-frame/vault/',
      pathNot: [
        '^wallet-frame/vault/signing/(?!index[.]ts$|signature[.]ts$)',
        '^wallet-frame/vault/keys/checksum[.]ts$',
      ],
    },
  },
  {
    name: 'the recovery window imports of the vault what seals to it only',
    from: { path: recoveryWindow, pathNot: testFiles },
    to: {
      path: '^wallet-frame/vault/',
      pathNot: ['^wallet-frame/vault/shares/sealing[.]ts$', '^wallet-frame/vault/keys/secret-bytes[.]ts$'],
    },
  },
  {
    name: 'the page of wallets across apps imports of the vault its contract and what seals to it only',
    from: { path: crossAppPage, pathNot: testFiles },
    to: {
      path: '^wallet-frame/vault/',
      pathNot: [
        contractsOfVault,
        `^${anyOf(vaultWorkers)}$`,
        '^wallet-frame/vault/shares/sealing[.]ts$',
        '^wallet-frame/vault/keys/secret-bytes[.]ts$',
        '^wallet-frame/vault/keys/checksum[.]ts$',
      ],
    },
  },
  {
    name: 'the vault imports nothing of the page of the wallet frame',
    from: { path: '^wallet-frame/vault/', pathNot: testFiles },
    // What lies beside main.ts, such as a clock, is for both.
    to: { path: '^wallet-frame/(?:main[.]ts$|(?!vault/)[^/]+/)' },
  },
]

export const importRules = (declared: readonly string[]): readonly ImportRule[] => [
  ...packages,
  ...dependencies(declared),
  ...floorRules,
  ...server,
  ...dialog,
  ...walletFrame,
  { name: 'no two files import each other in a circle', from: {}, to: { circular: true } },
]

/** For what ships: tests may put the parts of a package together in their own ways. */
export const folderRules: readonly ImportRule[] = [
  {
    name: 'no two folders import each other in a circle',
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
]
