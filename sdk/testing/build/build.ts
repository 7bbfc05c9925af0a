/**
 * Builds the package (`npm run build -w sdk/testing`): modules and declarations. Only declarations that public
 * entries import are published, because internal ones depend on types that hosts lack.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '..')
const root = join(folder, '../..')
const dist = join(folder, 'dist')

type Door = { types: string }
const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const doors = Object.values<Door>(exports).map(({ types }) => types.replace(/^\.\/dist\//, ''))

const emitted = mkdtempSync(join(tmpdir(), 'latchkey-testing-'))
try {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--outDir', emitted], {
    cwd: folder,
    stdio: 'inherit',
  })
  const own = join(emitted, 'sdk/testing')
  rmSync(dist, { recursive: true, force: true })
  for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.js')) continue
    mkdirSync(dirname(join(dist, path)), { recursive: true })
    copyFileSync(join(own, path), join(dist, path))
  }
  const open = new Set(doors)
  for (const path of open) {
    const code = readFileSync(join(own, path), 'utf8')
    for (const [, specifier = ''] of code.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      if (specifier.startsWith('.')) open.add(join(dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts')))
      else if (specifier === '@latchkey/loader/fake' || specifier.startsWith('@latchkey/protocol'))
        throw new Error(`${path} would require hosts to have the types of ${specifier}`)
    }
    writeFileSync(join(dist, path), code.replaceAll(/(from '\.[./\w-]*)\.ts'/g, "$1.js'"))
  }
} finally {
  rmSync(emitted, { recursive: true, force: true })
}
