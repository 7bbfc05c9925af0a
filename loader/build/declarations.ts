import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { printTypes } from './print-types.ts'

const loader = join(import.meta.dirname, '..')

/** Modules that the host installs itself. */
const peers = ['react', 'viem', 'wagmi']

/** Published only to hosts. In this repository it would hide every missing `latchkey` variable. */
const bareName = `declare global {
  /** The client of the script tag or its queue stub. \`window.latchkey\` is undefined on other pages. */
  const latchkey: Latchkey;
}
`

/** Writes the declarations of the public modules and of the files that they import, and nothing else. */
export function writeDeclarations(dist: string) {
  // They are written to one folder, so their names must be unique.
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
          // Removes the internal exports beside the call types.
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
          throw new Error(`${name}.d.ts would require hosts to install ${specifier}`)
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
