import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The root's own manifest. */
export const project = () => readJson(join(root, 'package.json'))

/** Every workspace package: its folder, its name, its manifest. */
export const packages = () =>
  project()
    .workspaces.filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => {
      const manifest = readJson(join(root, folder, 'package.json'))
      return { folder, name: manifest.name, manifest }
    })
