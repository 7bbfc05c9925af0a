import { expect, test } from 'vitest'
import { specsByCapability, testsOfChange } from './changed.ts'

const specs = ['e2e/wallet/mfa.e2e.ts', 'e2e/login/consent.e2e.ts', 'e2e/the-path.e2e.ts']

test('a changed screen selects the end-to-end tests of its capability', () => {
  expect(testsOfChange(['dialog-app/capabilities/mfa/lazy/choice.tsx'], specs).specs).toEqual([
    'e2e/wallet/mfa.e2e.ts',
  ])
  expect(testsOfChange(['dialog-app/capabilities/terms/lazy/screen.tsx'], specs).specs).toEqual([
    'e2e/login/consent.e2e.ts',
  ])
})

test('a changed end-to-end or browser test selects itself', () => {
  const files = ['e2e/the-path.e2e.ts', 'dialog-app/shell/shell.browser.test.ts']
  expect(testsOfChange(files, specs)).toMatchObject({
    specs: [],
    hasChangedSpecs: true,
    packages: [{ name: 'dialog-app', files: ['shell/shell.browser.test.ts'] }],
  })
})

test('a change of the start of the server selects the tests that start it', () => {
  expect(testsOfChange(['server/start/server.ts'], specs).programs).toEqual(['server/start/main.test.ts'])
})

test('documentation selects nothing', () => {
  expect(testsOfChange(['docs/apps.md'], specs)).toEqual({
    specs: [],
    hasChangedSpecs: false,
    packages: [],
    programs: [],
  })
})

test('every name in the table of capabilities leads to an end-to-end test', () => {
  for (const name of Object.keys(specsByCapability)) {
    expect(testsOfChange([`dialog-app/capabilities/${name}/screen.tsx`]).specs, name).not.toEqual([])
  }
})
