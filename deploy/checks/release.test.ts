/** A release of one commit, written twice: in folders and with a umask, time zone and language that differ. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** The commit of both releases, although others may commit during the test. */
const commit = run(root, 'git', 'rev-parse', 'HEAD').trim()

const keyFile = join(folder, 'release.key')
const publicKeyFile = join(folder, 'release.pub')

function writeRelease(...path: string[]): string {
  const clone = join(folder, ...path)
  run(folder, 'git', 'clone', '--quiet', '--no-checkout', root, clone)
  run(clone, 'git', 'checkout', '--quiet', '--detach', commit)
  run(clone, 'git', 'tag', '--force', `v${version}`)
  run(clone, 'npm', 'ci', '--no-audit', '--no-fund')
  run(clone, 'npm', 'run', 'release', '--', '--key', keyFile)
  return join(clone, 'release', version)
}

let releases: string[] = []
beforeAll(() => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }))
  const first = writeRelease('one')
  const umask = process.umask(0o077)
  Object.assign(process.env, { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' })
  releases = [first, writeRelease('another', 'longer-path')]
  process.umask(umask)
}, 1_800_000)

const [first, second] = [() => releases[0] ?? '', () => releases[1] ?? '']

test('two builds of a commit in different folders are identical', () => {
  const sums = readFileSync(join(first(), 'SHA256SUMS'), 'utf8')
  expect(readFileSync(join(second(), 'SHA256SUMS'), 'utf8')).toBe(sums)
  const listed = sums
    .trim()
    .split('\n')
    .map((line) => line.split('  ')[1])
  const written = readdirSync(first()).filter((name) => !name.startsWith('SHA256SUMS'))
  expect(listed).toEqual(written.toSorted())
  expect(listed).toContain(`latchkey-${version}.tar.gz`)
  expect(listed).toContain(`latchkey-${version}.sbom.json`)
})

const archives = ['loader', 'server', 'testing', 'sandbox', 'migrate'].map(
  (name) => `latchkey-${name}-${version}.tgz`,
)
const checkProgram = (name: string) => join(import.meta.dirname, 'node_modules', '.bin', name)

test.each(archives)('publint accepts %s, and npm would publish it', (archive) => {
  expect(run(first(), checkProgram('publint'), archive, '--strict')).toContain('All good!')
  run(first(), 'npm', 'publish', '--dry-run', '--access', 'public', archive)
})

// The migration command has no types. The fake client and the programs are entries for our own packages.
test.each(archives.filter((name) => !name.includes('-migrate-')))(
  '%s has types for each entry',
  (archive) => {
    const options = ['--profile', 'esm-only', '--exclude-entrypoints', 'fake', 'programs']
    expect(run(first(), checkProgram('attw'), ...options, '--', archive)).toContain('🟢')
  },
)

test('OpenSSL and sha256sum verify the release', () => {
  const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', publicKeyFile, '-rawin']
  expect(run(first(), 'openssl', ...verify, '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig')).toContain(
    'Verified Successfully',
  )
  run(first(), 'sha256sum', '--check', '--strict', 'SHA256SUMS')
})

test('the server of a release starts from its archive', () => {
  run(folder, 'tar', '-xf', join(first(), `latchkey-${version}.tar.gz`))
  const program = join(`latchkey-${version}`, 'latchkey.mjs')
  expect(run(folder, process.execPath, program, '--version')).toMatch(
    new RegExp(`^latchkey ${version.replaceAll('.', String.raw`\.`)} \\([0-9a-f]{40}\\)`),
  )
})

test('the list of components names the packages that the server bundles', () => {
  const { components } = JSON.parse(readFileSync(join(first(), `latchkey-${version}.sbom.json`), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['hono', 'kysely', 'pg', 'react', 'viem', 'penpal']))
})
