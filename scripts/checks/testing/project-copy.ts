/**
 * A copy of the project in its own folder, in which a test can edit files like a contributor. Its packages are
 * the copied ones; everything else is the project's.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Outcome, run } from '../../processes/run.ts'
import { root } from '../../setup.mjs'

const packages = ['protocol', 'loader', 'dialog-app', 'wallet-frame', 'server', 'sandbox', 'sdk/sandbox']
const others = ['scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const isLeftOut = /(?:^|\/)(?:node_modules|dist|releases|\.cache)(?:\/|$)/

export type ProjectCopy = {
  /** Throws unless the text occurs exactly once. */
  replace: (path: string, text: string, by: string) => void
  write: (path: string, text: string) => void
  read: (path: string) => string
  /** Copies a file of the project to another path in the copy. */
  place: (from: string, to: string) => void
  /** Returns the files that differ from the project. */
  changed: () => string[]
  /** Runs a script with the sources of the copy. */
  evaluate: (script: string) => Promise<Outcome>
  test: (...paths: string[]) => Promise<Outcome>
  remove: () => void
}

export function copyProject(): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-copy-'))
  for (const name of [...packages, ...others]) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (source) => !isLeftOut.test(source.slice(root.length)),
    })
  }
  linkModules(folder)
  const touched = new Set<string>()
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder, env: { NODE_OPTIONS: '--conditions=latchkey-source' } })
  return {
    read,
    write(path, text) {
      touched.add(path)
      write(path, text)
    },
    replace(path, text, by) {
      const parts = read(path).split(text)
      if (parts.length !== 2)
        throw new Error(`${path} must contain this once, but does ${parts.length - 1} times: ${text}`)
      touched.add(path)
      write(path, parts.join(by))
    },
    place: (from, to) => write(to, readFileSync(join(root, from), 'utf8')),
    changed: () => [...touched].sort(),
    evaluate: (script) => node('--input-type=module', '-e', script),
    test: (...paths) => node(join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...paths),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@latchkey'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@latchkey' && !/^\.(?:cache|vite)/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const folderName of packages) {
    const { name } = JSON.parse(readFileSync(join(folder, folderName, 'package.json'), 'utf8'))
    symlinkSync(join(folder, folderName), join(modules, name))
  }
}
