import { expect, test } from 'vitest'
import { brokenLinks } from './broken-links.ts'

const check = (files: Readonly<Record<string, string>>) =>
  brokenLinks(['docs/a.md'], {
    exists: (path) => path in files,
    read: (path) => files[path] ?? '',
  })

test('a link to an existing file or heading is accepted', () => {
  const text =
    '[b](b.md) [c](b.md#two-words) [d](#here) [e](../README.md) [f](https://latchkey.example/x)\n\n# Here\n'
  expect(check({ 'docs/a.md': text, 'docs/b.md': '## Two words\n', 'README.md': '' })).toEqual([])
})

test('a link to a missing file is reported with its line', () => {
  expect(check({ 'docs/a.md': 'First line\n\n[b](b.md)\n' })).toEqual(['docs/a.md:3: b.md leads to no file'])
})

test('a link to a missing heading is reported', () => {
  expect(check({ 'docs/a.md': '[b](b.md#two)', 'docs/b.md': '# One\n' })).toEqual([
    'docs/a.md:1: docs/b.md has no heading #two',
  ])
})

test('a heading in a code block is no heading, and a link in code is no link', () => {
  const text = '`[b](b.md)` [c](#two)\n\n```md\n# Two\n[d](d.md)\n```\n'
  expect(check({ 'docs/a.md': text })).toEqual(['docs/a.md:1: docs/a.md has no heading #two'])
})

test('a second heading with the same text has a numbered anchor', () => {
  const text = '# `set()` of an app\n\n# `set()` of an app\n\n[b](#set-of-an-app) [c](#set-of-an-app-1)\n'
  expect(check({ 'docs/a.md': text })).toEqual([])
})

test('a link that leaves the repository is reported', () => {
  expect(check({ 'docs/a.md': '[b](../../b.md)', '../b.md': '' })).toEqual([
    'docs/a.md:1: ../../b.md leads to no file',
  ])
})
