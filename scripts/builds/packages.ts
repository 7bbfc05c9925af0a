import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

type Names = Readonly<Record<string, string>>
export type Manifest = {
  name: string
  workspaces?: string[]
  files?: string[]
  scripts?: Names
  dependencies?: Names
  devDependencies?: Names
  optionalDependencies?: Names
}
export type Package = { folder: string; manifest: Manifest }

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** Returns the root manifest. */
export const project = () => manifestIn('.')

/** Returns every workspace package with its manifest. */
export const packages = (): Package[] =>
  (project().workspaces ?? [])
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: manifestIn(folder) }))
