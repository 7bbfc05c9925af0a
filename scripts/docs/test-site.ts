// npm run test:docs: builds the documentation site, which fails on a broken link, and checks its pages in Chromium:
// accessibility in both color schemes, no request to another host, search, tabs, the theme editor, and each page as
// Markdown.

import AxeBuilder from '@axe-core/playwright'
import { chromium, type Page } from 'playwright'
import { fullBrowser } from '../local/chromium.ts'
import { say } from '../setup.mjs'
import { buildSite, serveSite } from './build-site.ts'
import { docPages, translatedPages } from './pages.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Starlight labels its search button 'Search', beside its shown keys. The rule is experimental. */
const starlightRules = ['label-content-name-mismatch']
const widths = [390, 1280]
const representative = [
  '/',
  '/start/quick-starts/',
  '/build/loader/',
  '/build/theme/',
  '/security/',
  '/reference/environment/',
  '/de/',
  '/de/start/quick-starts/',
]

await buildSite()
const { address, stop } = await serveSite()
const browser = await chromium.launch(fullBrowser())
const problems: string[] = []
let passed = 0

const expectThat = (name: string, isTrue: boolean) => {
  if (isTrue) passed += 1
  else problems.push(name)
}

async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url()))
      problems.push(`${path} requests ${request.url()}`)
  })
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`))
  await page.goto(address + path, { waitUntil: 'networkidle' })
  return page
}

for (const path of representative)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of widths) {
      const name = `${path} at ${width} px, ${scheme}`
      const page = await open(path, width, scheme)
      const { violations } = await new AxeBuilder({ page })
        .withTags(tags)
        .disableRules(starlightRules)
        .analyze()
      for (const { id, nodes } of violations)
        say(`  ${name}: ${id} ${nodes.map(({ target }) => target).join(', ')}`)
      expectThat(`${name} has no axe violation`, violations.length === 0)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expectThat(`${name} does not scroll sideways`, overflow <= 0)
      await page.context().close()
    }

const guides = await open('/start/quick-starts/#vue', 1280, 'light')
expectThat(
  'a link to a guide shows its tab alone',
  (await guides.getByRole('tab', { selected: true }).textContent()) === 'Vue' &&
    (await guides.getByRole('tabpanel').count()) === 1,
)
await guides.getByRole('tab', { name: 'React' }).click()
await guides.goto(`${address}/start/quick-starts/`)
expectThat(
  'the chosen guide is shown again',
  (await guides.getByRole('tab', { selected: true }).textContent()) === 'React',
)

const editor = await open('/build/theme/', 1280, 'light')
const preview = editor.frameLocator('.theme-editor iframe')
await preview.getByText('Google', { exact: true }).waitFor()
await editor.getByLabel('Header text').focus()
await editor.keyboard.type("Ada's notes")
await editor.getByLabel('Accent color').fill('#d02060')
await editor.getByRole('combobox', { name: 'Color scheme' }).selectOption('Dark')
await editor.getByRole('main').getByRole('combobox', { name: 'Language' }).selectOption('Arabic')
const config = `createLatchkey({
  appId: 'YOUR_APP_ID',
  config: {
    appearance: {
      theme: 'dark',
      accentColor: '#d02060',
      landingHeader: 'Ada\\'s notes',
    },
    intl: {
      locale: 'ar',
    },
  },
})`
expectThat(
  'the theme editor prints the chosen settings',
  (await editor.locator('.theme-editor code').textContent()) === config,
)
expectThat(
  'the theme editor shows the dialog with the chosen settings',
  await preview
    .locator('[dir="rtl"] h2')
    .getByText("Ada's notes")
    .waitFor()
    .then(
      () => true,
      () => false,
    ),
)

const search = await open('/', 1280, 'light')
await search.getByRole('button', { name: 'Search' }).click()
await search.getByRole('textbox', { name: 'Search' }).fill('confirmation page')
const result = search.locator('.pagefind-ui__result-link').first()
expectThat(
  'the search finds a page',
  await result.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  ),
)

const embedding = await open('/start/embedding/', 1280, 'light')
await embedding.getByRole('combobox', { name: 'Select language' }).selectOption('Deutsch')
await embedding.waitForURL('**/de/start/embedding/')
expectThat(
  'the language switch leads to the translated page',
  (await embedding.getByRole('heading', { level: 1 }).textContent()) === 'Einbetten',
)
await embedding.getByRole('link', { name: 'Betrieb' }).click()
await embedding.waitForURL('**/de/operate/operating/#pinned-loaders')
expectThat(
  'a page without a translation appears in English, with a notice',
  (await embedding.locator('html').getAttribute('lang')) === 'de' &&
    (await embedding.locator('main[lang="en"]').count()) > 0 &&
    (await embedding.getByText(/noch nicht in deiner Sprache/).isVisible()),
)

const translatedSlugs = translatedPages.map(({ page, language }) =>
  `${language}/${page.slug}`.replace(/\/$/, ''),
)
for (const slug of [...docPages.map(({ slug }) => slug), ...translatedSlugs]) {
  const response = await fetch(`${address}/${slug === '' ? 'index' : slug}.md`)
  const text = await response.text()
  expectThat(`${slug}.md is Markdown`, response.ok && text.startsWith('# '))
}
const llms = await (await fetch(`${address}/llms.txt`)).text()
expectThat(
  'llms.txt lists every page',
  docPages.every(({ slug }) => slug === '' || llms.includes(`(/${slug}.md)`)),
)

await browser.close()
await stop()
for (const problem of problems) say(`  FAILED ${problem}`)
say(`${passed} passed, ${problems.length} failed`)
process.exit(problems.length === 0 ? 0 : 1)
