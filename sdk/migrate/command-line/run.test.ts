import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './run.ts'

const before = `import { usePrivy } from '@privy-io/react-auth'
export const useName = () => usePrivy().user?.google?.name
`
const after = `import { useLatchkey } from '@latchkey/loader/react'
export const useName = () => useLatchkey().user?.google?.name
`
const bin = join(import.meta.dirname, 'bin.ts')
const deadlineMs = 30_000

let app: string
beforeEach(() => {
  app = mkdtempSync(join(tmpdir(), 'latchkey-migrate-'))
})
afterEach(() => rmSync(app, { recursive: true, force: true }))

const write = (path: string, content: string | Uint8Array = before) => {
  mkdirSync(dirname(join(app, path)), { recursive: true })
  writeFileSync(join(app, path), content)
}
const read = (path: string) => readFileSync(join(app, path), 'utf8')
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: app })
const command = (...args: string[]) => {
  const lines: string[] = []
  const status = run(args, app, (line) => lines.push(...line.trimEnd().split('\n')))
  return { status, lines, text: lines.join('\n') }
}

test('the command writes the files outside git, and prints its changes and the remaining places', () => {
  write('src/name.ts')
  expect(command('privy')).toMatchObject({
    status: 0,
    lines: [
      'changed  src/name.ts:1: `usePrivy`, now `useLatchkey`, comes from `@latchkey/loader/react`.',
      'left     src/name.ts:2: `user.google` is the account of type `google_oauth` in `user.linkedAccounts`. See docs/coming-from-privy.md#who-is-logged-in',
      '1 file changed, 1 place is left to you.',
      expect.stringContaining('install @latchkey/loader'),
    ],
  })
  expect(read('src/name.ts')).toBe(after)
})

test('a second run changes nothing', () => {
  write('src/name.ts')
  command('privy')
  expect(command('privy')).toMatchObject({ status: 0, lines: ['Nothing to change.'] })
  expect(read('src/name.ts')).toBe(after)
})

test('--dry-run prints the same report and writes nothing', () => {
  write('src/name.ts')
  const { status, lines } = command('privy', '--dry-run')
  expect(status).toBe(0)
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toBe('1 file would change, 1 place is left to you.')
  expect(read('src/name.ts')).toBe(before)
})

test('the command reads exactly four file extensions', () => {
  for (const name of ['a.ts', 'b.tsx', 'c.js', 'd.jsx', 'e.md', 'f.d.ts']) write(name)
  command('privy')
  expect(['a.ts', 'b.tsx', 'c.js', 'd.jsx'].map(read)).toEqual([after, after, after, after])
  expect([read('e.md'), read('f.d.ts')]).toEqual([before, before])
})

test.each(['node_modules', 'dist', '.next'])('%s is never changed, even if it is named', (folder) => {
  write(`${folder}/name.ts`)
  write(`src/${folder}/deep/name.ts`)
  write('src/name.ts')
  expect(command('privy', '.', folder, `src/${folder}/deep/name.ts`).status).toBe(0)
  expect(read('src/name.ts')).toBe(after)
  expect([read(`${folder}/name.ts`), read(`src/${folder}/deep/name.ts`)]).toEqual([before, before])
})

test('the command reads only the named paths, each once', () => {
  write('one/name.ts')
  write('two/name.ts')
  write('three/name.ts')
  const { lines } = command('privy', 'one', 'one/name.ts', 'two/name.ts')
  expect(lines.filter((line) => line.startsWith('changed'))).toHaveLength(2)
  expect([read('one/name.ts'), read('two/name.ts'), read('three/name.ts')]).toEqual([after, after, before])
})

test('a file that does not parse stays unchanged, while others are migrated', () => {
  write('broken.tsx', `${before}const = {`)
  write('name.ts')
  const { status, lines } = command('privy')
  expect(status).toBe(0)
  expect(lines).toContain(
    'left     broken.tsx:1: This file does not parse, so it was left as it is. See docs/coming-from-privy.md#the-provider',
  )
  expect([read('broken.tsx'), read('name.ts')]).toEqual([`${before}const = {`, after])
})

test('a file that is not UTF-8 stays unchanged', () => {
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0x2f, 0x2f, 0xe9, 0x0a])])
  write('latin.ts', bytes)
  expect(command('privy').text).toContain('This file is not UTF-8')
  expect(readFileSync(join(app, 'latin.ts'))).toEqual(bytes)
})

test('the nearest package.json determines the version and the bundler of a file', () => {
  write(
    'package.json',
    JSON.stringify({ dependencies: { '@privy-io/react-auth': '^3.0.0', next: '15.0.0' } }),
  )
  write(
    'old/package.json',
    JSON.stringify({
      dependencies: { '@privy-io/react-auth': '~1.99.1' },
      devDependencies: { vite: '7.0.0' },
    }),
  )
  const source = `import { PrivyProvider, useLogin } from '@privy-io/react-auth'
export const App = () => (useLogin({ onComplete: (found) => console.log(found) }), <PrivyProvider appId="1" />)
`
  write('app.tsx', source)
  write('old/src/app.tsx', source)
  command('privy')
  expect(read('app.tsx')).toContain('onComplete: (found) => console.log(found)')
  expect(read('app.tsx')).toContain('process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL')
  expect(read('old/src/app.tsx')).toContain('onComplete: ({ user: found }) => console.log(found)')
  expect(read('old/src/app.tsx')).toContain('import.meta.env.VITE_LATCHKEY_DIALOG_URL')
})

test('the command refuses to overwrite uncommitted changes unless --force is given', () => {
  write('src/name.ts')
  write('src/other.ts', 'export {}\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Start')
  write('src/other.ts', 'export const other = 1\n')

  const refused = command('privy')
  expect(refused.status).toBe(1)
  expect(refused.text).toContain('uncommitted changes')
  expect(refused.text).toContain('src/other.ts')
  expect(read('src/name.ts')).toBe(before)

  expect(command('privy', '--dry-run').status).toBe(0)
  expect(read('src/name.ts')).toBe(before)

  expect(command('privy', '--force').status).toBe(0)
  expect(read('src/name.ts')).toBe(after)

  git('checkout', '--quiet', '--', '.')
  expect(command('privy').status).toBe(0)
  expect(read('src/name.ts')).toBe(after)
})

test('uncommitted changes elsewhere in the repository do not matter', () => {
  write('web/name.ts')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Start')
  write('notes.txt', 'not committed\n')
  write('web/other.ts', 'export {}\n')
  expect(command('privy', 'web').status).toBe(1)
  expect(command('privy', 'web/name.ts').status).toBe(0)
  expect(read('web/name.ts')).toBe(after)
})

test('the command refuses to write if git status fails', () => {
  write('name.ts')
  write('.git', 'gitdir: nowhere\n')
  const refused = command('privy')
  expect(refused.status).toBe(1)
  expect(refused.text).toContain('git status')
  expect(read('name.ts')).toBe(before)
})

test.each([
  [[], 'Name the kit to migrate from: privy.'],
  [['clerk'], 'Unknown kit "clerk". Supported: privy.'],
  [['privy', '--dryrun'], 'Unknown option --dryrun.'],
  [['privy', 'nowhere'], 'nowhere does not exist.'],
])('%j prints an error and exits with code 2', (args, message) => {
  write('name.ts')
  const { status, lines } = command(...args)
  expect(status).toBe(2)
  expect(lines[0]).toBe(message)
  expect(lines).toContain('npx @latchkey/migrate privy [--dry-run] [--force] [paths…]')
  expect(read('name.ts')).toBe(before)
})

test('--help prints the usage', () => {
  expect(command('--help')).toMatchObject({ status: 0, text: expect.stringContaining('--dry-run') })
})

test('the program runs in the current folder, and exits with the code', () => {
  write('name.ts')
  const program = (...args: string[]) =>
    spawnSync(process.execPath, [bin, ...args], { cwd: app, encoding: 'utf8', timeout: deadlineMs })
  expect(program('privy', '--no')).toMatchObject({ status: 2, stderr: '' })
  expect(program('privy')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('1 file changed'),
  })
  expect(read('name.ts')).toBe(after)
})
