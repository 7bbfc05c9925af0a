import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { printTypes } from './print-types.ts'

const loader = join(import.meta.dirname, '..')

/** For hosts alone: in this repository it would be what every mistaken `latchkey` is taken for. */
const bareName = `declare global {
  /** As a page writes it that has the tag, or the queue stub before it. Asked of \`window\`, it may be missing. */
  const latchkey: Latchkey;
}
`

/** Writes the declarations of what a host imports, and of nothing else, so that they resolve on their own. */
export function writeDeclarations(dist: string) {
  const emitted = mkdtempSync(join(tmpdir(), 'latchkey-loader-'))
  try {
    const config = join(emitted, 'tsconfig.json')
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(loader, '../tsconfig.json'),
        compilerOptions: {
          noEmit: false,
          declaration: true,
          emitDeclarationOnly: true,
          rootDir: join(loader, '..'),
          outDir: emitted,
          typeRoots: [join(loader, '../node_modules/@types')],
        },
        files: [join(loader, 'index.ts'), join(loader, 'script.ts')],
      }),
    )
    execFileSync(join(loader, '../node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
    const open = ['index', 'script']
    for (const name of open) {
      const code =
        name === 'published' ? printTypes() : readFileSync(join(emitted, 'loader', `${name}.d.ts`), 'utf8')
      const imports = [...code.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
        ([, specifier]) => specifier ?? '',
      )
      for (const specifier of imports) {
        if (!specifier.startsWith('./')) throw new Error(`${name}.d.ts would ask a host for ${specifier}`)
        const next = basename(specifier, '.ts')
        if (!open.includes(next)) open.push(next)
      }
      const declared = name === 'script' ? code + bareName : code
      writeFileSync(join(dist, `${name}.d.ts`), declared.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}
