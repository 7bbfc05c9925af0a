/**
 * Measures LANDING with every login method against e-mail alone, and the time from a click to the provider's
 * window.
 */
import type { Browser, Page } from '@playwright/test'
import type { Stack } from '../stack/stack.ts'
import type { Hosts } from './hosts.ts'
import { type Opening, openHost, preload } from './opening.ts'
import { heading, line, median, plain } from './statistics.ts'

/** Samples alternate, so that other load on this machine affects both sides. */
const SAMPLES = 5
const MOST = 1.1

type Openings = { alone: Opening[]; every: Opening[] }

export async function measureLanding(browser: Browser, hosts: Hosts) {
  heading('LANDING with every way to log in, beside e-mail alone')
  for (const how of ['cold', 'preloaded'] as const) {
    const openings: Openings = { alone: [], every: [] }
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      openings.alone.push(await openOnce(browser, hosts[how], how))
      openings.every.push(await openOnce(browser, hosts.everyMethod[how], how))
    }
    print(how, openings)
  }
}

export async function measureProviderWindow(browser: Browser, stack: Stack, hosts: Hosts) {
  heading('From the click on a provider')
  const windows = []
  for (let sample = 0; sample < SAMPLES; sample += 1) windows.push(await openProvider(browser, stack, hosts))
  line(
    'to the call that opens its window',
    windows.map(({ openMs }) => openMs),
    'ms',
  )
  line(
    'to the page of the provider',
    windows.map(({ pageMs }) => pageMs),
    'ms',
  )
}

function print(how: string, { alone, every }: Openings) {
  const waits = (openings: readonly Opening[]) => openings.map(({ waitMs }) => waitMs)
  const ratio = median(waits(every)) / median(waits(alone))
  line(`click to focus: ${how}, e-mail alone`, waits(alone), 'ms')
  line(`click to focus: ${how}, every method`, waits(every), 'ms')
  plain(`every method beside e-mail alone, ${how}`, ratio, '×', `aim: at most ${MOST.toFixed(2)}`)
  for (const [name, openings] of [
    ['e-mail alone', alone],
    ['every method', every],
  ] as const) {
    const dropped = openings.map(({ droppedByFrame }) => droppedByFrame)
    line(`frames dropped: ${how}, ${name}`, dropped, '', `of ${median(openings.map(({ frames }) => frames))}`)
  }
}

async function openOnce(browser: Browser, url: string, how: 'cold' | 'preloaded'): Promise<Opening> {
  return onPage(browser, async (page) => {
    const { open } = await openHost(page, url)
    if (how === 'preloaded') await preload(page, 0)
    return open()
  })
}

async function openProvider(browser: Browser, stack: Stack, hosts: Hosts) {
  return onPage(browser, async (page) => {
    const { stamps, open } = await openHost(page, hosts.everyMethod.preloaded)
    await preload(page, 0)
    await open()
    const provider = page.waitForEvent('popup')
    await page
      .frameLocator('iframe')
      .getByRole('button', { name: /^Google/ })
      .click()
    const openedAt = await stamps.until('window')
    const clicked = stamps.last('clicked')
    await (await provider).waitForURL(`${stack.sandboxUrl}/**`, { waitUntil: 'commit' })
    return { openMs: openedAt - clicked, pageMs: Date.now() - clicked }
  })
}

async function onPage<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext()
  try {
    return await measure(await context.newPage())
  } finally {
    await context.close()
  }
}
