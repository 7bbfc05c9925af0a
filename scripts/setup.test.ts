import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childEnvironment, missingPackages, reasonToInstall, root } from './setup.mjs'

let folder = ''
const write = (path: string, content: object) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), JSON.stringify(content))
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-setup-'))
  const packages = {
    '': {},
    'node_modules/@latchkey/server': { link: true },
    'node_modules/here': { version: '1.0.0' },
    'node_modules/only-there': { version: '1.0.0', optional: true },
    'server/node_modules/here': { version: '2.0.0' },
  }
  write('package-lock.json', { packages })
  write('node_modules/.package-lock.json', { packages })
  write('node_modules/here/package.json', { version: '1.0.0' })
  write('server/node_modules/here/package.json', { version: '2.0.0' })
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the packages to install', () => {
  it('are fewer for running the product than for working on it', () => {
    write('package-lock.json', {
      packages: {
        'node_modules/for-the-product': { version: '1.0.0' },
        'node_modules/for-work': { version: '1.0.0', dev: true },
        'node_modules/for-work-on-some-machines': { version: '1.0.0', devOptional: true },
      },
    })
    expect(missingPackages(folder, { work: false })).toEqual(['for-the-product'])
    expect(missingPackages(folder, { work: true })).toHaveLength(3)
    expect(missingPackages(folder)).toHaveLength(3)
  })

  it('are at most 253 for `npm start` on Linux', () => {
    type Entry = Readonly<Partial<Record<'link' | 'dev' | 'devOptional' | 'optional', true>>> & {
      os?: string[]
      cpu?: string[]
    }
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const installed = Object.entries<Entry>(lock.packages)
      .filter(
        ([path, { link, dev, devOptional }]) =>
          path.includes('node_modules/') && !link && !dev && !devOptional,
      )
      .filter(([, { os = ['linux'], cpu = ['x64'] }]) => os.includes('linux') && cpu.includes('x64'))
    // The contracts that pay fees in the sandbox take three.
    expect(installed.length).toBeLessThanOrEqual(253)
  })

  it('are none if each package is present in its version', () => {
    expect(missingPackages(folder)).toEqual([])
  })

  it('include a package of another version, also in a workspace', () => {
    write('node_modules/here/package.json', { version: '0.9.0' })
    expect(missingPackages(folder)).toEqual(['here'])
    write('node_modules/here/package.json', { version: '1.0.0' })
    write('server/node_modules/here/package.json', { version: '1.0.0' })
    expect(missingPackages(folder)).toEqual(['here'])
  })

  it("include a deleted package, regardless of npm's record of its last install", () => {
    rmSync(join(folder, 'node_modules/here'), { recursive: true })
    expect(missingPackages(folder)).toEqual(['here'])
  })

  it('include everything after an interrupted install', () => {
    rmSync(join(folder, 'node_modules/.package-lock.json'))
    expect(missingPackages(folder)).toHaveLength(2)
  })
})

it('the reason for another install is printed with some names', () => {
  expect(reasonToInstall(['viem'], 300)).toBe(
    'Installing again: viem is missing or not in the version that package-lock.json names.',
  )
  expect(reasonToInstall(['a', 'b', 'c', 'd'], 300)).toContain('again: a, b, c and 1 more are missing')
  expect(reasonToInstall(['a', 'b'], 2)).toContain('Installing 2 packages')
})

it("the project's programs use Node's compile cache in an ignored folder", () => {
  const folder = process.env.NODE_COMPILE_CACHE ?? resolve(import.meta.dirname, '../.cache/compiled')
  expect(childEnvironment().NODE_COMPILE_CACHE).toBe(folder)
})

it.each([
  ['serve', '--help', 'Usage: npm run serve'],
  ['start', '--help', 'Usage: npm start'],
  ['build', '-h', 'Usage: npm run build'],
  ['soak', '--help', 'npm run soak -- --kills 100 [--engine sqlite|postgres|both]'],
  ['soak', '-h', 'npm run soak -- --processes 3 [--minutes 3]'],
])('the script %s prints its usage for %s and starts nothing', (name, option, usage) => {
  const script = join(import.meta.dirname, 'run.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, name, option], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(usage), ''])
  expect(stdout).not.toContain('Building')
})

it('an unknown script is refused with the list of scripts', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), 'fly'], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('start | serve | build')])
})
