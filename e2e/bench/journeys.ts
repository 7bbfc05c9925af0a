/** Measures user-visible delays in a real browser, against a bare cross-site frame in the same run. */

import { openInbox } from '@latchkey/sandbox'
import type { Browser, Page } from '@playwright/test'
import { HostPage } from '../pages/host-page.ts'
import type { Stack } from '../stack/stack.ts'
import { type Condition, type Conditions, conditions } from './conditions.ts'
import type { Hosts } from './hosts.ts'
import { type Opening, openHost, preload } from './opening.ts'
import { heading, line, median, plain } from './statistics.ts'

const SAMPLES = 3
/** A person first reads the code in another window. */
const READING_MS = 1_000

type Journey = {
  opening: Opening
  loginMs: number
  /** Time until the page is free again, including screens that stay for a while. */
  freeMs: number
  cardMs: number
  signatureMs: number
  /** The same times after a logout, for a known user. */
  again: { loginMs: number; freeMs: number }
}
type Run = {
  bare: readonly Opening[]
  cold: readonly Opening[]
  journeys: readonly Journey[]
}

export async function measureJourneys(browser: Browser, emulated: Conditions, stack: Stack, hosts: Hosts) {
  const runs = new Map<Condition, Run>()
  for (const condition of conditions) {
    emulated.set(condition)
    const repeat = <T>(measure: (page: Page) => Promise<T>) => samples(browser, measure)
    const run: Run = {
      bare: await repeat((page) => openPage(page, hosts.bare)),
      cold: await repeat((page) => openPage(page, hosts.cold)),
      journeys: await repeat((page) => travel(page, stack, hosts, condition)),
    }
    runs.set(condition, run)
    print(condition, run)
  }
  printTrips(runs)
}

async function samples<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T[]> {
  const measured: T[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const context = await browser.newContext()
    try {
      measured.push(await measure(await context.newPage()))
    } finally {
      await context.close()
    }
  }
  return measured
}

/** Opens a page without a cache and without a preload. */
const openPage = async (page: Page, url: string): Promise<Opening> => (await openHost(page, url)).open()

/** Opens a preloaded dialog, logs in for the first time, signs, logs out, and logs in again. */
async function travel(page: Page, stack: Stack, hosts: Hosts, condition: Condition): Promise<Journey> {
  const { stamps, open } = await openHost(page, hosts.preloaded)
  const host = new HostPage(page, stack)
  const inbox = openInbox(stack.sandboxUrl)
  await preload(page, condition.roundTripMs)
  const opening = await open()

  async function enterCode() {
    const [logins, frees] = [stamps.count('loggedIn') + 1, stamps.count('free') + 1]
    await host.askForCode(inbox.address)
    const code = await inbox.nextCode()
    await page.waitForTimeout(READING_MS)
    await host.typeCode(code)
    const loggedIn = await stamps.until('loggedIn', logins)
    const free = await stamps.until('free', frees)
    return { loginMs: loggedIn - stamps.last('digit'), freeMs: free - stamps.last('digit') }
  }
  const { loginMs, freeMs } = await enterCode()

  const focusesBefore = stamps.count('focus')
  await page.locator('#sign').click()
  const card = await stamps.until('focus', focusesBefore + 1)
  const cardMs = card - stamps.last('clicked')
  await host.approve()
  const signatureMs = (await stamps.until('signed')) - stamps.last('clicked')
  await host.dialogCloses()

  await page.evaluate('latchkey.logout()')
  await page.locator('#open').click()
  const again = await enterCode()
  return { opening, loginMs, freeMs, cardMs, signatureMs, again }
}

type Wait = {
  name: string
  of: (run: Run) => readonly number[]
  /** Whether a bare frame can do the same. */
  beside: 'bare' | 'nothing'
}

const getWaits = (openings: readonly Opening[]) => openings.map(({ waitMs }) => waitMs)
const preloaded = ({ journeys }: Run) => journeys.map(({ opening }) => opening)

const waits: readonly Wait[] = [
  { name: 'click to focus: a bare cross-site frame', of: ({ bare }) => getWaits(bare), beside: 'bare' },
  { name: 'click to focus: cold', of: ({ cold }) => getWaits(cold), beside: 'bare' },
  { name: 'click to focus: preloaded', of: (run) => getWaits(preloaded(run)), beside: 'bare' },
  {
    name: 'last digit to login(), with a new wallet',
    of: ({ journeys }) => journeys.map(({ loginMs }) => loginMs),
    beside: 'nothing',
  },
  {
    name: 'last digit to a free page, with a new wallet',
    of: ({ journeys }) => journeys.map(({ freeMs }) => freeMs),
    beside: 'nothing',
  },
  {
    name: 'last digit to login(), who comes back',
    of: ({ journeys }) => journeys.map(({ again }) => again.loginMs),
    beside: 'nothing',
  },
  {
    name: 'last digit to a free page, who comes back',
    of: ({ journeys }) => journeys.map(({ again }) => again.freeMs),
    beside: 'nothing',
  },
  {
    name: 'click to the card of a signature',
    of: ({ journeys }) => journeys.map(({ cardMs }) => cardMs),
    beside: 'nothing',
  },
  {
    name: 'press to the signature in the host',
    of: ({ journeys }) => journeys.map(({ signatureMs }) => signatureMs),
    beside: 'nothing',
  },
]

const openings: readonly { name: string; of: (run: Run) => readonly Opening[] }[] = [
  { name: 'a bare frame', of: ({ bare }) => bare },
  { name: 'cold', of: ({ cold }) => cold },
  { name: 'preloaded', of: preloaded },
]

function print({ name }: Condition, run: Run) {
  heading(`What a visitor waits for, ${name}`)
  const bareMs = median(getWaits(run.bare))
  for (const { name, of, beside } of waits) {
    const times = of(run)
    line(name, times, 'ms', beside === 'bare' ? `${(median(times) / bareMs).toFixed(2)}× bare` : '')
  }
  for (const { name, of } of openings) {
    const each = of(run)
    const frames = median(each.map(({ frames }) => frames))
    for (const [who, dropped] of [
      ['the host', each.map(({ droppedByHost }) => droppedByHost)],
      ['the frame', each.map(({ droppedByFrame }) => droppedByFrame)],
    ] as const)
      line(`frames that ${who} drops, ${name}`, dropped, '', `of ${frames}`)
  }
}

/** Prints the number of sequential round trips, derived from the added latency. */
function printTrips(runs: ReadonlyMap<Condition, Run>) {
  const unslowed = [...runs].filter(([{ slowdown }]) => slowdown === 1)
  const [[, near] = [], [farthest, far] = []] = [unslowed[0], unslowed.at(-1)]
  if (!near || !far || !farthest) return
  heading(`Round trips in a row, from what ${farthest.roundTripMs} ms each add`)
  for (const { name, of } of waits)
    plain(name, (median(of(far)) - median(of(near))) / farthest.roundTripMs, 'trips')
}
