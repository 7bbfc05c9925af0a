import { expect, test } from 'vitest'
import { completeLock, missingFromLock } from './complete-lock.ts'

const locked = {
  'node_modules/tool': {
    version: '1.0.0',
    dev: true,
    optionalDependencies: {
      'tool-linux-x64': '1.0.0',
      'tool-linux-arm64-musl': '1.0.0',
      'tool-darwin-amd64': '1.0.0',
      'tool-linux-arm-gnueabihf': '1.0.0',
      'tool-linux-s390x-gnu': '1.0.0',
      'tool-win32-ia32-msvc': '1.0.0',
    },
  },
  'node_modules/tool-linux-x64': { version: '1.0.0', dev: true, optional: true, os: ['linux'], cpu: ['x64'] },
}

test('missingFromLock returns a package for another platform that the lock file lacks', () => {
  expect(missingFromLock(locked).map(({ name }) => name)).toEqual([
    'tool-linux-arm64-musl',
    'tool-darwin-amd64',
    'tool-linux-arm-gnueabihf',
    'tool-linux-s390x-gnu',
    'tool-win32-ia32-msvc',
  ])
})

test('a completed lock file lacks nothing and contains the platform of each addition', () => {
  const complete = completeLock(locked)
  expect(missingFromLock(complete)).toEqual([])
  expect(complete['node_modules/tool-darwin-amd64']).toEqual({
    version: '1.0.0',
    dev: true,
    optional: true,
    os: ['darwin'],
    cpu: ['x64'],
  })
  expect(complete['node_modules/tool-linux-arm64-musl']).toMatchObject({
    os: ['linux'],
    cpu: ['arm64'],
    libc: ['musl'],
  })
  expect(complete['node_modules/tool-linux-s390x-gnu']).toMatchObject({ cpu: ['s390x'], libc: ['glibc'] })
  expect(complete['node_modules/tool-linux-arm-gnueabihf']).not.toHaveProperty('libc')
  expect(complete['node_modules/tool-win32-ia32-msvc']).toMatchObject({ os: ['win32'], cpu: ['ia32'] })
  expect(complete['node_modules/tool-linux-x64']).toBe(locked['node_modules/tool-linux-x64'])
})

test('a package without a platform is refused, because every machine would download it', () => {
  const odd = { 'node_modules/tool': { optionalDependencies: { 'tool-extra': '1.0.0' } } }
  expect(() => completeLock(odd)).toThrow('tool-extra')
})
