// Who may import whom. One table, one reader of imports, one list of what breaks the table.

import { parseSync } from 'vite'

/** The packages of ours that each package may name. */
const mayImport = {
  protocol: [],
  loader: ['protocol'],
  'dialog-app': ['protocol'],
  'wallet-frame': ['protocol'],
  server: ['protocol'],
  sandbox: [],
  demo: ['loader'],
  e2e: ['protocol'],
}

/** In the server these folders serve every area and are no area themselves. */
const sharedInServer = ['db', 'http']
/** Folders whose subfolders are areas of their own. */
const nestedInServer = ['login']

/** The dialog's core: it starts without React and knows no screen. */
const dialogCore = ['flows', 'api', 'session', 'host', 'wallet']
const dialogFace = ['screens', 'ui', 'face']
const reactPackages = ['react', 'react-dom', 'jotai/react']

const isTest = (path) =>
  /\.(test|test-d|browser\.test)\.tsx?$|(^|\/)test-[\w-]+\.tsx?$|(^|\/)(tests?|testing|fixtures)\//.test(path)
const isConfig = (path) => /(^|\/)[\w.-]+\.config\.[mc]?[jt]s$/.test(path)

const isImportMetaUrl = (node) =>
  node?.type === 'MemberExpression' && node.object.type === 'MetaProperty' && node.property.name === 'url'

/** The module that one syntax node asks for, if it asks for one. */
const requested = (node) => {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source
    case 'CallExpression':
      return node.callee.name === 'require' ? node.arguments[0] : undefined
    default:
      return undefined
  }
}

/** `new URL('./worker.ts', import.meta.url)` is how a worker is asked for. Other files may be anywhere. */
const codeAddress = (node) => {
  if (node.type !== 'NewExpression' || node.callee.name !== 'URL' || !isImportMetaUrl(node.arguments[1]))
    return undefined
  return /\.[mc]?[jt]sx?$/.test(node.arguments[0].value) ? node.arguments[0] : undefined
}

/** Every module that a source asks for: static, dynamic, as a type, as a worker's address. */
export const importsOf = (path, code) => {
  const { program, errors } = parseSync(path, code)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  // The browser tests start the server and the sandbox as programs, by their address.
  const findAddress = path.startsWith('e2e/') ? () => undefined : codeAddress
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    if (typeof node.type === 'string') {
      const source = requested(node) ?? findAddress(node)
      if (typeof source?.value === 'string') found.push(source.value)
    }
    for (const value of Object.values(node)) visit(value)
  }
  visit(program)
  return found
}

/** Resolves a relative specifier to a path from the root, without its query. */
const resolvePath = (from, specifier) => {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('?')[0].split('/')) {
    if (part === '..') parts.length === 0 ? parts.push('..') : parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** 'server/login/email/code.ts' lies in the area 'login/email'; shared folders and the root lie in none. */
const serverArea = (path) => {
  const [, first, second, third] = path.split('/')
  if (second === undefined || sharedInServer.includes(first)) return undefined
  return nestedInServer.includes(first) && third !== undefined ? `${first}/${second}` : first
}

const isWithin = (area, outer) => area === outer || area.startsWith(`${outer}/`)

const brokenInServer = (from, target) => {
  const [here, there] = [serverArea(from), serverArea(target)]
  // The root's files and the shared HTTP code put the areas together; inside one area everything is near.
  if (here === undefined || there === undefined || isWithin(here, there) || isTest(from)) return undefined
  const door = `server/${there}/${there.split('/').at(-1)}.ts`
  return target === door ? undefined : `the area ${there} is reached through ${door} only`
}

const brokenInDialog = (from, target) => {
  const [, here] = from.split('/')
  const [, there] = target.split('/')
  if (!dialogCore.includes(here) || !dialogFace.includes(there)) return undefined
  return `${here}/ belongs to the core, which knows no ${there}/`
}

/** '@scope/name/deep' is '@scope/name' and 'deep'. */
const splitName = (specifier) => {
  const parts = specifier.split('/')
  const length = specifier.startsWith('@') ? 2 : 1
  return { name: parts.slice(0, length).join('/'), rest: parts.slice(length).join('/') }
}

const isBuiltin = (specifier) => specifier.startsWith('node:') || specifier.startsWith('virtual:')

const brokenRelative = (from, specifier) => {
  const [folder] = from.split('/')
  const target = resolvePath(from, specifier)
  if (folder === 'e2e' && target.startsWith('scripts/')) return undefined
  if (!target.startsWith(`${folder}/`)) return 'another package is named by its name, not by a path into it'
  if (folder === 'server') return brokenInServer(from, target)
  if (folder === 'dialog-app') return brokenInDialog(from, target)
  return undefined
}

const brokenByName = (from, specifier, manifests) => {
  const [folder] = from.split('/')
  const { name, rest } = splitName(specifier.split('?')[0])
  const ours = Object.entries(manifests).find(([, manifest]) => manifest.name === name)
  if (ours !== undefined) {
    const [target, manifest] = ours
    if (target !== folder && !mayImport[folder].includes(target)) return `${folder} may not import ${target}`
    const door = rest === '' ? '.' : `./${rest}`
    return door in (manifest.exports ?? {}) ? undefined : `${name} has no door ${door}`
  }
  const [, area] = from.split('/')
  if (folder === 'dialog-app' && dialogCore.includes(area)) {
    const react = reactPackages.find((other) => isWithin(specifier, other))
    if (react !== undefined) return `${area}/ belongs to the core, which starts without ${react}`
  }
  // What is shipped needs what its own package declares; tests and tools take whatever the repository has.
  const isShipped = !isTest(from) && !isConfig(from) && folder !== 'e2e'
  const lists = (isShipped ? [manifests[folder]] : Object.values(manifests)).flatMap((manifest) => [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.peerDependencies,
  ])
  if (lists.some((list) => list && name in list)) return undefined
  return `${name} is not among the dependencies of ${folder}`
}

/**
 * What breaks the rules in these sources. `files` maps a path from the root to its source, `manifests` a package's
 * folder to its manifest ('.' is the root's).
 */
export const findViolations = (files, manifests) =>
  [...files].flatMap(([path, code]) =>
    importsOf(path, code)
      .filter((specifier) => !isBuiltin(specifier))
      .map((specifier) => ({
        path,
        specifier,
        reason: /^\.{0,2}\//.test(specifier)
          ? brokenRelative(path, specifier)
          : brokenByName(path, specifier, manifests),
      }))
      .filter(({ reason }) => reason !== undefined),
  )

export const boundaryFolders = Object.keys(mayImport)
