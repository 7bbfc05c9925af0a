/** Renders docs/reference/languages.md from the text catalogues. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { markdownPage, markdownTable } from '../../../protocol/doc/markdown.ts'
import { root } from '../../setup.mjs'

const countTexts = (path: string) =>
  Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8'))).filter((key) => !key.startsWith('@')).length

const english = () =>
  globSync('{protocol,dialog-app,wallet-frame,server}/**/*texts.arb', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|testing)$/.test(path),
  })

const names = new Intl.DisplayNames('en', { type: 'language' })
const translations = () => globSync('protocol/texts/locales/*.arb', { cwd: root }).toSorted()

/** Returns the tag and the English name of each language. */
export const listLanguages = () =>
  ['en', ...translations().map((path) => basename(path, '.arb'))].map((tag) => ({
    tag,
    name: names.of(tag) ?? tag,
  }))

export function renderLanguages(): string {
  const total = english().reduce((sum, path) => sum + countTexts(path), 0)
  const others = translations().map((path) => ({
    tag: basename(path, '.arb'),
    count: countTexts(path),
  }))
  const rows = [{ tag: 'en', count: total }, ...others].map(({ tag, count }) => [
    `\`${tag}\``,
    names.of(tag) ?? tag,
    `${count} of ${total}`,
    `${Math.floor((100 * count) / total)} %`,
  ])
  return markdownPage(
    'Languages',
    'Dialog, wallet pages, mails and text messages share these texts. [Languages](../languages.md) describes which one a user sees, and how to add one. Approval texts, which tell users what they approve, are English until a native speaker has signed off their translation.',
    markdownTable(['tag', 'language', 'texts', 'coverage'], rows),
  )
}
