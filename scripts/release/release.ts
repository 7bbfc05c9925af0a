// npm run release [-- --key <private key>]: writes the files of a release, and signs the list of their hashes. Two runs
// on one commit write the same bytes. It changes nothing else, and uploads nothing.

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDistribution, distributionFolder } from '../builds/distribution.ts'
import { run } from '../processes/run.ts'
import { endWithWords, root, say } from '../setup.mjs'

const { values } = parseArgs({ options: { key: { type: 'string' } } })
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = join(root, 'release', version)

/** Ends the process if the program fails. Returns its output. */
async function runOrEnd(command: string, ...args: string[]): Promise<string> {
  const { ok, output } = await run(command, args)
  return ok ? output : endWithWords(`${command} ${args.join(' ')} failed:\n${output}`)
}

/** Returns the time of the commit, which is the time of all files in the archives. */
async function checkCommit(): Promise<string> {
  if ((await runOrEnd('git', 'status', '--porcelain')) !== '') {
    endWithWords(
      'The working tree has changes. Commit or stash them, so that others can build the same release.',
    )
  }
  const tags = (await runOrEnd('git', 'tag', '--points-at', 'HEAD')).split('\n')
  if (!tags.includes(`v${version}`)) {
    endWithWords(`This commit is not tagged. Run: git tag v${version}`)
  }
  return runOrEnd('git', 'log', '-1', '--format=%ct')
}

const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)

async function packServer(time: string): Promise<void> {
  await buildDistribution(distributionFolder)
  const name = `latchkey-${version}`
  const staging = join(root, '.cache', 'release')
  rmSync(staging, { recursive: true, force: true })
  cpSync(distributionFolder, join(staging, name), { recursive: true })
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const order = ['--sort=name', `--mtime=@${time}`, '--format=ustar', '--use-compress-program=gzip -n -9']
  await runOrEnd('tar', ...owner, ...order, '-cf', join(folder, `${name}.tar.gz`), '-C', staging, name)
  rmSync(staging, { recursive: true })
}

const npmPackages = ['loader', 'sdk/server', 'sdk/testing', 'sdk/sandbox', 'sdk/migrate']

/** Packs the packages for npm, which archives the permissions of the working tree. They depend on its umask. */
async function packPackages(): Promise<void> {
  const files = npmPackages.flatMap((name) =>
    ['dist', 'package.json', 'README.md'].map((file) => join(root, name, file)),
  )
  await runOrEnd('chmod', '-R', 'u=rwX,go=rX', ...files)
  const workspaces = npmPackages.flatMap((folder) => ['-w', folder])
  await runOrEnd('npm', 'pack', '--pack-destination', folder, ...workspaces)
}

/** Writes the packages of the distribution as CycloneDX. npm's own list fails for packages that `overrides` replaces. */
async function writeComponents(): Promise<void> {
  const workspaces = ['server', 'dialog-app', 'wallet-frame', 'dashboard', 'loader', 'protocol'].flatMap(
    (name) => ['-w', name],
  )
  const options = ['--ignore-npm-errors', '--omit', 'dev', '--output-reproducible']
  const output = ['--output-file', join(folder, `latchkey-${version}.sbom.json`)]
  const program = ['exec', '--yes', '--', '@cyclonedx/cyclonedx-npm@6.0.1']
  await runOrEnd('npm', ...program, ...options, ...output, ...workspaces)
}

/** Writes the hash of each page, script and style, and the integrity attribute of the loader. */
async function writeIntegrity(): Promise<void> {
  const hash = (algorithm: string, path: string) =>
    `${algorithm}-${createHash(algorithm)
      .update(readFileSync(join(root, path)))
      .digest('base64')}`
  const loader = ['loader.js', 'latchkey.js', 'loader-more.js'].map((name) => [
    name,
    hash('sha384', `loader/dist/${name}`),
  ])
  const pages = ['dialog-app/dist', 'wallet-frame/dist', 'dashboard/dist'].flatMap((dist) =>
    readdirSync(join(root, dist), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:html|js|css|wasm)$/.test(name) && !name.startsWith('.'))
      .toSorted()
      .map((name) => [`${dist}/${name}`, hash('sha256', `${dist}/${name}`)]),
  )
  const commit = await runOrEnd('git', 'rev-parse', 'HEAD')
  const integrity = {
    version,
    commit,
    loader: Object.fromEntries(loader),
    pages: Object.fromEntries(pages),
  }
  write('integrity.json', `${JSON.stringify(integrity, null, 2)}\n`)
}

/** Builds the image for this machine's architecture, if buildah is installed. */
async function packImage(time: string, commit: string): Promise<void> {
  if (!(await run('buildah', ['--version'])).ok) return say('Without an image: buildah is not installed.')
  const tag = `localhost/latchkey:${version}`
  const labels = ['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${commit}`]
  say('Building the image')
  await runOrEnd('buildah', 'build', '--timestamp', time, ...labels, '--tag', tag, '.')
  await runOrEnd('buildah', 'push', tag, `oci-archive:${join(folder, `latchkey-${version}.oci.tar`)}`)
}

function writeSums(): string {
  const sums = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('')
  write('SHA256SUMS', sums)
  return sums
}

/** Signs with Ed25519. `openssl pkeyutl -verify -rawin` verifies the signature. */
function signSums(sums: string, keyFile: string): void {
  const key = createPrivateKey(readFileSync(keyFile))
  if (key.asymmetricKeyType !== 'ed25519') endWithWords(`${keyFile} is not an Ed25519 key.`)
  write('SHA256SUMS.sig', sign(null, Buffer.from(sums), key))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  say(`Signed by the key with the fingerprint ${createHash('sha256').update(publicKey).digest('hex')}`)
}

const time = await checkCommit()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
say('Building')
// A release has no files of the build before it.
for (const built of ['dialog-app', 'wallet-frame', 'dashboard', ...npmPackages].map((name) =>
  join(name, 'dist'),
))
  rmSync(join(root, built), { recursive: true, force: true })
rmSync(join(root, 'loader/releases'), { recursive: true, force: true })
await runOrEnd('npm', 'run', 'build')
await packServer(time)
await packPackages()
await writeComponents()
await writeIntegrity()
await packImage(time, await runOrEnd('git', 'rev-parse', 'HEAD'))
const sums = writeSums()
if (values.key === undefined) say('Without a signature: name a private key with --key.')
else signSums(sums, values.key)
say(`Wrote release/${version}:\n${sums}`)
