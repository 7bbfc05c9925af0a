import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { printTypes } from './print-types.ts'

const loader = join(import.meta.dirname, '..')

/** What a host has that imports a module for it. */
const peers = ['react', 'viem', 'wagmi']

/** For hosts alone: in this repository it would be what every mistaken `latchkey` is taken for. */
const bareName = `declare global {
  /** As a page writes it that has the tag, or the queue stub before it. Asked of \`window\`, it may be missing. */
  const latchkey: Latchkey;
}
`

/** Writes the declarations of what a host imports, and of nothing else, so that they resolve on their own. */
export function writeDeclarations(dist: string) {
  // They lie beside each other there, so no two have one name.
  const open = [
    'start/index.ts',
    'start/script.ts',
    'state/state.ts',
    'react/react.ts',
    'wagmi/wagmi.ts',
    'conformance/conformance.ts',
  ]
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
          // What our files have of a call beside its method.
          stripInternal: true,
          rootDir: join(loader, '..'),
          outDir: emitted,
          typeRoots: [join(loader, '../node_modules/@types')],
        },
        files: open.map((path) => join(loader, path)),
        include: [],
      }),
    )
    execFileSync(join(loader, '../node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
    for (const path of open) {
      const name = basename(path, '.ts')
      const code =
        name === 'published'
          ? printTypes()
          : readFileSync(join(emitted, 'loader', dirname(path), `${name}.d.ts`), 'utf8')
      const imports = [...code.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
        ([, specifier]) => specifier ?? '',
      )
      for (const specifier of imports) {
        if (peers.includes(specifier)) continue
        const next = join(dirname(path), specifier)
        if (!specifier.startsWith('.') || next.startsWith('..'))
          throw new Error(`${name}.d.ts would ask a host for ${specifier}`)
        if (!open.includes(next)) open.push(next)
      }
      const declared = name === 'script' ? code + bareName : code
      writeFileSync(
        join(dist, `${name}.d.ts`),
        declared.replaceAll(/from '\.[./\w-]*\/([\w-]+)\.ts'/g, "from './$1.js'"),
      )
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}
