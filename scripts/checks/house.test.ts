import { expect, test } from 'vitest'
import {
  commentsWithoutSubject,
  countTests,
  crowdedFolders,
  filesNaming,
  filesOfLogin,
  importsUpTheFloors,
  namedOutside,
  namesInExpressions,
  productSources,
  shareOfShortSources,
} from './house.ts'

const treeOf = (files: Readonly<Record<string, string>>, server: readonly string[] = []) => ({
  paths: Object.keys(files),
  textOf: (path: string) => files[path] ?? expect.unreachable(path),
  floors: server.length === 0 ? {} : { server: server.map((room) => [room]) },
})

test('what ships is neither a test, nor what tests share, nor a build file, nor another package', () => {
  const shipped = ['server/login/email.ts', 'dialog-app/ui/button.tsx']
  const others = [
    'server/login/email.test.ts',
    'server/testing/context.ts',
    'dialog-app/vite.config.ts',
    'loader/build/bundle.ts',
    'scripts/size.ts',
    'server/README.md',
    'dialog-app/vite-env.d.ts',
  ]
  const tree = treeOf(Object.fromEntries([...shipped, ...others].map((path) => [path, ''])))
  expect(productSources(tree)).toEqual(shipped)
})

test('an import from a lower floor of the server to a higher one counts, and no other', () => {
  const files = {
    'server/login/email/email.ts':
      "import { a } from '../../kernel/db.ts'\nimport { b } from '../codes.ts'\nexport const c = 1",
    'server/login/codes.ts': '',
    'server/kernel/db.ts':
      "import type { C } from '../login/email/email.ts'\nimport {\n  d,\n} from '../login/codes.ts'\nconst e = () => import('../login/codes.ts')",
    'server/kernel/db.test.ts': "import { b } from '../login/codes.ts'",
  }
  expect(importsUpTheFloors(treeOf(files, ['login', 'kernel']))).toBe(3)
  expect(importsUpTheFloors(treeOf(files, ['kernel', 'login']))).toBe(1)
  expect(importsUpTheFloors(treeOf(files))).toBeUndefined()
})

test('a folder is crowded by 21 files of its own', () => {
  const filesIn = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/${at}.ts`, '']))
  expect(
    crowdedFolders(treeOf({ ...filesIn('server/a', 20), ...filesIn('server/b', 21), 'server/a/c/d.ts': '' })),
  ).toBe(1)
})

test('a source of the dialog is short with 19 lines, and not with 20', () => {
  const lines = (count: number) => 'a\n'.repeat(count)
  const files = { 'dialog-app/a.ts': lines(19), 'dialog-app/b.ts': lines(20), 'server/c.ts': '' }
  expect(shareOfShortSources(treeOf(files))).toBe(0.5)
  expect(shareOfShortSources(treeOf({}))).toBeUndefined()
})

test('a login method is named outside of its folders, a host call wherever its whole name stands', () => {
  const tree = treeOf({
    'server/login/telegram/routes.ts': 'telegram',
    'server/capabilities.ts': "import { telegramRoutes } from './x.ts'",
    'server/mail.ts': 'mail',
    'loader/calls.ts': 'signTypedData: true',
    'loader/other.ts': 'resignTypedDataNow',
  })
  expect(namedOutside(tree, 'telegram')).toEqual(['server/capabilities.ts'])
  expect(filesNaming(tree, 'signTypedData')).toEqual(['loader/calls.ts'])
})

test('a build file names files where a bar or an ending stands beside them', () => {
  const tree = treeOf({
    'dialog-app/build/chunks.config.ts': [
      '// what is named (here|there) counts for nothing',
      String.raw`const one = /\/start-dialog\.ts$|\/core\/(?:login|chains)\.ts$/`,
      String.raw`const two = \`\${parts}(?!button|mark)\``,
      "const kind: 'sms' | 'mail' = 'sms'",
    ].join('\n'),
    'dialog-app/main.ts': String.raw`/other\.ts$/`,
  })
  expect(namesInExpressions(tree)).toEqual(['start-dialog', 'login', 'chains', 'button', 'mark'])
})

test('a doc comment without a subject begins with a preposition, an adverb or a participle', () => {
  const comments = [
    '/** Of the page. */',
    '/**\n * Kept for ten seconds.\n */',
    '/** Not one that took its place meanwhile. */',
    '/** The page that shows a key. */',
    '/** In the browser, a tab refreshes at a time. */',
    '// Of the page.',
  ]
  const tree = treeOf({ 'server/a.ts': comments.join('\n') })
  expect(commentsWithoutSubject(tree)).toEqual([
    'server/a.ts: Of the page.',
    'server/a.ts: Kept for ten seconds.',
    'server/a.ts: Not one that took its place meanwhile.',
  ])
})

test('a login runs what the page and its capabilities import, without types and what comes later', () => {
  const tree = treeOf({
    'dialog-app/index.html': '<script type="module" src="/main.ts"></script>',
    'dialog-app/main.ts':
      "import { a } from './a.ts'\nimport type { T } from './types.ts'\nconst b = () => import('./sms.ts')",
    'dialog-app/a.ts': "export { p } from '@latchkey/protocol'",
    'dialog-app/types.ts': '',
    'dialog-app/sms.ts': '',
    'dialog-app/capabilities/email/email.ts': "import './shared.ts'",
    'dialog-app/capabilities/email/shared.ts': '',
    'dialog-app/capabilities/email/texts.ar.ts': '',
    'dialog-app/capabilities/landing/lazy/options.ts': '',
    'dialog-app/capabilities/sms/sms.ts': '',
  })
  expect(filesOfLogin(tree)).toEqual([
    'dialog-app/main.ts',
    'dialog-app/a.ts',
    'dialog-app/capabilities/email/email.ts',
    'dialog-app/capabilities/email/shared.ts',
  ])
})

test('tests are counted as the sources write them', () => {
  const source = [
    "test('one', () => {})",
    "  it('two', () => {})",
    "test.each([1, 2])('three %i', () => {})",
    'test.each`',
    "test.describe('none', () => {})",
    "expect(latest('x'))",
  ].join('\n')
  expect(countTests(treeOf({ 'server/a.test.ts': source, 'server/a.ts': source }))).toBe(4)
})
