/**
 * Builds the package (`npm run build -w sdk/sandbox`). Server and sandbox are compiled file by file into their
 * repository folders, because they read files beside their sources. The built pages are copied.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vite'

const repository = resolve(import.meta.dirname, '../../..')
const dist = resolve(import.meta.dirname, '../dist')
const product = join(dist, 'product')
const programs = ['server/start/main.ts', 'server/testing/operator.ts', 'sandbox/main.ts']
const pages = ['dialog-app/dist', 'wallet-frame/dist', 'loader/dist']

rmSync(dist, { recursive: true, force: true })
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
)
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(1)

await build({
  root: repository,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  resolve: { conditions: ['latchkey-source'] },
  ssr: { noExternal: [/^@latchkey[/]/], resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  build: {
    ssr: true,
    outDir: product,
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node22',
    minify: false,
    rolldownOptions: {
      input: programs.map((path) => join(repository, path)),
      output: {
        format: 'es',
        preserveModules: true,
        preserveModulesRoot: repository,
        entryFileNames: '[name].js',
      },
    },
  },
})

const beside = globSync('{server,sandbox,protocol}/**/*.{arb,js,mjs,css,html,svg,png,json,txt}', {
  cwd: repository,
  exclude: ['**/node_modules/**', '**/dist/**', '**/package.json'],
})
for (const path of [...beside, ...pages]) {
  mkdirSync(dirname(join(product, path)), { recursive: true })
  cpSync(join(repository, path), join(product, path), { recursive: true })
}
