/** What a visitor waits for, in a real browser, against a bare cross-site frame in the same run. */
import type { Browser, Frame, Page } from '@playwright/test'
import { HostPage } from '../pages/host-page.ts'
import { openInbox } from '../stack/inbox.ts'
import type { Stack } from '../stack/stack.ts'
import { type Condition, type Conditions, conditions } from './conditions.ts'
import type { Hosts } from './hosts.ts'
import { collectStamps, droppedFrames, framesWithin, type Stamps } from './stamps.ts'
import { heading, line, median, plain } from './statistics.ts'

const SAMPLES = 3
/** Long enough for the card to have moved in. */
const AFTER_OPENING_MS = 300
/** A person reads the code in another window first. */
const READING_MS = 1_000
const QUIET_MS = 300
const POLL_EVERY_MS = 50

type Opening = {
  readonly waitMs: number
  /** How many frames there was time for, until the card had moved in. */
  readonly frames: number
  readonly droppedByHost: number
  /** Of the frame that was opened; the host and the frame draw on threads of their own. */
  readonly droppedByFrame: number
}
type Journey = {
  readonly opening: Opening
  readonly loginMs: number
  readonly cardMs: number
  readonly signatureMs: number
}
type Run = {
  readonly bare: readonly Opening[]
  readonly cold: readonly Opening[]
  readonly journeys: readonly Journey[]
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

/** Nothing is cached, and nothing was there before the click. */
async function openPage(page: Page, url: string): Promise<Opening> {
  const stamps = await collectStamps(page)
  await page.goto(url)
  return open(page, stamps)
}

async function open(page: Page, stamps: Stamps): Promise<Opening> {
  await page.locator('#open').click()
  const focused = await stamps.until('field')
  const clicked = stamps.last('clicked')
  await page.waitForTimeout(AFTER_OPENING_MS)
  const dropped = async (frame: Frame) => {
    const drawn: number[] = await frame.evaluate(() => Reflect.get(window, 'drawn'))
    return droppedFrames(drawn, clicked, focused + AFTER_OPENING_MS)
  }
  const opened = page.mainFrame().childFrames()[0]
  if (!opened) throw new Error('No frame')
  return {
    waitMs: focused - clicked,
    frames: framesWithin(clicked, focused + AFTER_OPENING_MS),
    droppedByHost: await dropped(page.mainFrame()),
    droppedByFrame: await dropped(opened),
  }
}

/** A preloaded dialog is opened, a person logs in for the first time, and signs. */
async function travel(page: Page, stack: Stack, hosts: Hosts, condition: Condition): Promise<Journey> {
  const stamps = await collectStamps(page)
  const host = new HostPage(page, stack)
  const inbox = openInbox(stack.sandboxUrl)
  await page.goto(hosts.preloaded)
  await page.waitForFunction(() => Reflect.get(window, 'settled') === true)
  await everythingLoaded(page, condition)
  const opening = await open(page, stamps)

  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await page.waitForTimeout(READING_MS)
  await host.typeCode(code)
  const loginMs = (await stamps.until('loggedIn')) - stamps.last('digit')
  await host.dialogCloses()

  const focusesBefore = stamps.count('focus')
  await page.locator('#sign').click()
  const card = await stamps.until('focus', focusesBefore + 1)
  const cardMs = card - stamps.last('clicked')
  await host.approve()
  const signatureMs = (await stamps.until('signed')) - stamps.last('clicked')
  return { opening, loginMs, cardMs, signatureMs }
}

/** The dialog loads the rest when it is idle; a visitor clicks later than that. */
async function everythingLoaded(page: Page, { roundTripMs }: Condition) {
  const [dialog] = page.mainFrame().childFrames()
  if (!dialog) throw new Error('No frame')
  await dialog.waitForFunction(
    (quietMs) => {
      const ends = performance.getEntriesByType('resource').map((entry) => entry.startTime + entry.duration)
      return performance.now() - Math.max(0, ...ends) > quietMs
    },
    QUIET_MS + 2 * roundTripMs,
    // A hidden frame draws nothing, so drawing can not be what it is asked after.
    { polling: POLL_EVERY_MS },
  )
}

type Wait = {
  readonly name: string
  readonly of: (run: Run) => readonly number[]
  /** Whether a bare frame does the same thing. */
  readonly beside: 'bare' | 'nothing'
}

const waitsOf = (openings: readonly Opening[]) => openings.map(({ waitMs }) => waitMs)
const preloaded = ({ journeys }: Run) => journeys.map(({ opening }) => opening)

const waits: readonly Wait[] = [
  { name: 'click to focus: a bare cross-site frame', of: ({ bare }) => waitsOf(bare), beside: 'bare' },
  { name: 'click to focus: cold', of: ({ cold }) => waitsOf(cold), beside: 'bare' },
  { name: 'click to focus: preloaded', of: (run) => waitsOf(preloaded(run)), beside: 'bare' },
  {
    name: 'last digit to login(), with a new wallet',
    of: ({ journeys }) => journeys.map(({ loginMs }) => loginMs),
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

const openings: readonly { readonly name: string; readonly of: (run: Run) => readonly Opening[] }[] = [
  { name: 'a bare frame', of: ({ bare }) => bare },
  { name: 'cold', of: ({ cold }) => cold },
  { name: 'preloaded', of: preloaded },
]

function print({ name }: Condition, run: Run) {
  heading(`What a visitor waits for, ${name}`)
  const bareMs = median(waitsOf(run.bare))
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

/** What a longer way adds, in round trips: how many of them stand in a row. */
function printTrips(runs: ReadonlyMap<Condition, Run>) {
  const unslowed = [...runs].filter(([{ slowdown }]) => slowdown === 1)
  const [[, near] = [], [farthest, far] = []] = [unslowed[0], unslowed.at(-1)]
  if (!near || !far || !farthest) return
  heading(`Round trips in a row, from what ${farthest.roundTripMs} ms each add`)
  for (const { name, of } of waits)
    plain(name, (median(of(far)) - median(of(near))) / farthest.roundTripMs, 'trips')
}
