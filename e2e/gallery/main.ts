// npm run gallery: builds the dialog's gallery, writes each part as PNG to dialog-app/gallery/sheets, and the README's
// picture to docs/dialog.png. Fails if axe reports a problem or the page's policy is violated.
//   npm run gallery -- --serve   shows it in your browser instead
//   npm run gallery -- --quick   one accent, and each scheme in one layout
//   npm run gallery -- --overview   only overview.png: one screen of each kind, light and dark, on a card and a sheet,
//                                   in English and Arabic

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { chromium, type Page } from 'playwright'
import { build, preview } from 'vite'
import { fullBrowser } from '../../scripts/local/chromium.ts'
import { endWithWords, root, say } from '../../scripts/setup.mjs'

const port = Number(process.env.GALLERY_PORT ?? 4300)
const folder = join(root, 'dialog-app', 'gallery')
const sheets = join(folder, 'sheets')
const configFile = join(folder, 'vite.config.ts')
const sheetHeight = 2400
const quick = process.argv.includes('--quick')
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, preview: { port, strictPort: true, host: '127.0.0.1' } })
const address = `http://127.0.0.1:${port}/gallery/`
if (process.argv.includes('--serve')) {
  say(`Gallery: ${address} (press Ctrl-C to stop it)`)
  await new Promise(() => {})
}

const browser = await chromium.launch(fullBrowser())
const problems: string[] = []

type Query = {
  part: string
  scheme: 'light' | 'dark'
  layout: string
  language: string
  accent: string
}
type OpenPage = { page: Page; name: string }
type Window = {
  width?: number
  scale?: number
  forcedColors?: 'active' | 'none'
}

const open = async (query: Query, { width = 2000, scale = 1, forcedColors = 'none' }: Window = {}) => {
  const context = await browser.newContext({
    viewport: { width, height: 1200 },
    deviceScaleFactor: scale,
    colorScheme: query.scheme,
    reducedMotion: 'reduce',
    forcedColors,
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const name = Object.values(query).join('-')
  page.on('pageerror', (error) => problems.push(`${name}: ${error.message}`))
  page.on('console', (line) => {
    if (line.type() === 'error') problems.push(`${name}: ${line.text()}`)
  })
  const broken = new Promise((_resolve, reject) => page.once('pageerror', reject))
  await page.goto(`${address}?${new URLSearchParams(query)}`)
  await Promise.race([page.getByRole('main').waitFor(), broken])
  // Waits for delayed content and transitions, but not for endless animations.
  await page.evaluate(async () => {
    const endsSometime = ({ effect, timeline }: Animation) =>
      timeline === document.timeline && effect?.getComputedTiming().endTime !== Infinity
    await new Promise((resolve) => setTimeout(resolve, 400))
    await Promise.all(
      document
        .getAnimations()
        .filter(endsSometime)
        .map((one) => one.finished),
    )
    await document.fonts.ready
  })
  return { page, name, context }
}

const check = async ({ page, name }: OpenPage) => {
  const { violations } = await new AxeBuilder({ page }).withTags(wcag).analyze()
  for (const { id, help, nodes } of violations) {
    const where = nodes.slice(0, 4).map(({ target, failureSummary }) => `${target}: ${failureSummary}`)
    problems.push(`${name}: ${id} (${help}), ${nodes.length} times\n    ${where.join('\n    ')}`)
  }
}

/** Gives the focus to the most important state. Without this, only the last scene would have focus. */
const blur = (page: Page) =>
  page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })

/**
 * Takes a screenshot per window height, cut between rows, because browsers leave parts of very tall pages
 * unpainted.
 */
async function photograph(page: Page, name: string) {
  const { width = 0 } = page.viewportSize() ?? {}
  const [height, rows] = await page.evaluate(() => [
    document.documentElement.scrollHeight,
    [...document.querySelectorAll('figure')].map((one) => Math.floor(one.getBoundingClientRect().top) - 8),
  ])
  await page.setViewportSize({ width, height: Math.min(height, sheetHeight) })
  for (let top = 0, sheet = 1; top < height; sheet += 1) {
    const last = rows.findLast((row) => row > top && row <= top + sheetHeight)
    const end = height - top <= sheetHeight ? height : (last ?? top + sheetHeight)
    const scrolled = await page.evaluate(
      (to) =>
        new Promise<number>((resolve) => {
          scrollTo(0, to)
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY)))
        }),
      top,
    )
    await page.screenshot({
      path: join(sheets, `${name}-${String(sheet).padStart(2, '0')}.png`),
      clip: { x: 0, y: top - scrolled, width, height: end - top },
    })
    top = end
  }
}

/** A row with a screen of each kind, for a quick overview. */
async function photographOverview() {
  const columns: { name: string; pictures: string[] }[] = []
  for (const scheme of schemes)
    for (const layout of ['card', 'sheet'])
      for (const language of ['en', 'ar']) {
        const query: Query = { part: 'overview', scheme, layout, language, accent: 'blue' }
        const { page, name, context } = await open(query)
        await blur(page)
        const pictures: string[] = []
        for (const scene of await page.locator('[data-scene]').all()) {
          const picture = await scene.screenshot({ type: 'jpeg', quality: 90 })
          pictures.push(`data:image/jpeg;base64,${picture.toString('base64')}`)
        }
        columns.push({ name, pictures })
        await context.close()
      }
  const page = await browser.newPage({ viewport: { width: 2_000, height: 1_000 } })
  const drawn = columns.map(
    ({ name, pictures }) =>
      `<section><h2>${name}</h2>${pictures.map((src) => `<p><img src="${src}"></p>`).join('')}</section>`,
  )
  await page.setContent(
    `<style>body{display:flex;gap:8px;margin:8px;font:12px system-ui}section{flex:1}h2{font-size:12px}
      p{height:440px;margin:0}img{max-width:100%;max-height:432px}</style>${drawn.join('')}`,
  )
  await page.waitForFunction(() => [...document.images].every((image) => image.complete))
  await page.screenshot({ path: join(sheets, 'overview.png'), fullPage: true })
  await page.close()
}

rmSync(sheets, { recursive: true, force: true })
mkdirSync(sheets, { recursive: true })
const schemes = ['light', 'dark'] as const
await photographOverview()
if (process.argv.includes('--overview')) {
  await browser.close()
  await server.close()
  say(`The overview: ${join(sheets, 'overview.png')}`)
  process.exit(0)
}
const every: Query[] = schemes.flatMap((scheme) =>
  ['blue', 'orange', 'yellow'].flatMap((accent) => [
    { part: 'components', scheme, layout: 'card', language: 'en', accent },
    ...['card', 'sheet'].flatMap((layout) =>
      ['en', 'ar'].map((language) => ({ part: 'screens', scheme, layout, language, accent })),
    ),
  ]),
)
const low: Query = { part: 'screens', scheme: 'light', layout: 'low', language: 'en', accent: 'blue' }
const few: Query[] = [
  { part: 'components', scheme: 'light', layout: 'card', language: 'en', accent: 'blue' },
  { part: 'screens', scheme: 'light', layout: 'card', language: 'en', accent: 'blue' },
  { part: 'screens', scheme: 'dark', layout: 'sheet', language: 'ar', accent: 'orange' },
]
for (const query of [...(quick ? few : every), low]) {
  const view = await open(query)
  await blur(view.page)
  await photograph(view.page, view.name)
  await check(view)
  await view.context.close()
}

// With forced colors the system ensures contrast. The picture shows only the distinction of controls.
for (const scheme of schemes) {
  const query: Query = { part: 'screens', scheme, layout: 'card', language: 'en', accent: 'blue' }
  const { page, name, context } = await open(query, { forcedColors: 'active' })
  await blur(page)
  await photograph(page, `${name}-forced`)
  await context.close()
}

/** Combines a light and a dark screenshot into one image, on a page with two images. */
const halves = []
for (const [scheme, accent] of [
  ['light', 'blue'],
  ['dark', 'orange'],
] as const) {
  const { page, context } = await open(
    { part: 'picture', scheme, layout: 'card', language: 'en', accent },
    { width: 1344, scale: 2 },
  )
  const code = page.locator('[data-scene^="Code"] input').nth(3)
  await code.focus()
  const picture = await page.locator('main').screenshot({ type: 'png' })
  halves.push(`data:image/png;base64,${picture.toString('base64')}`)
  await context.close()
}
const joining = await browser.newPage({ viewport: { width: 1344, height: 1120 }, deviceScaleFactor: 2 })
await joining.setContent(
  `<body style="margin:0">${halves.map((src) => `<img src="${src}" style="display:block;width:1344px">`).join('')}`,
)
await joining.waitForFunction(() => [...document.images].every((image) => image.complete))
writeFileSync(join(root, 'docs', 'dialog.png'), await joining.screenshot({ fullPage: true }))

await browser.close()
await server.close()
for (const problem of problems) say(`  ${problem}`)
if (problems.length > 0)
  endWithWords(`The gallery has ${problems.length} problem${problems.length === 1 ? '' : 's'}.`)
say(`The gallery has no problems. Its pictures: ${sheets}`)
