/** Where things stand on the card in a real browser: what fits on a line, what lies in a middle, what a fade leaves free. */
import type { Locator } from 'playwright'
import { describe, expect, it } from 'vitest'
import { discardAfterTest, openShell, page } from './testing/opened.ts'
import type { handle } from './testing/shell-handle.ts'

type Handle = typeof handle
/** Nothing moves, so that what is measured is where it stays. */
async function open(screen: Parameters<Handle['go']>[0], width: number, height: number) {
  await openShell({ viewport: { width, height } })
  await page.evaluate((name) => shell.go(name), screen)
  await page.getByRole('dialog').getByRole('heading').first().waitFor()
}

/** How many lines the text of an element has. */
const linesOf = (element: Locator) =>
  element.evaluate((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not drawn')
  return box
}

// The card is 376 px wide. In a phone window it is narrower.
describe.each([
  [800, 700],
  [376, 700],
])('in a window %d px wide', (width, height) => {
  it("shows 'Authenticator App' on one line beside 'Recommended'", async () => {
    await open('Verification methods, none yet', width, height)
    const row = page.getByRole('button', { name: /^Authenticator App/ })
    await row.getByText('Recommended').waitFor()
    expect(await linesOf(row.getByText('Authenticator App'))).toBe(1)
  })
})

describe('a QR code', () => {
  it.each(['TOTP, scan', 'Receive', 'Wallet, meeting at a relay'])(
    'shows the logo of the app in its centre: %s',
    async (screen) => {
      await open(screen, 800, 900)
      const code = page.locator('svg[role=img]')
      const mark = page.locator('svg[role=img] + div > *')
      const [around, within] = [await boxOf(code), await boxOf(mark)]
      expect(within.width).toBe(28)
      expect(within.x + within.width / 2).toBeCloseTo(around.x + around.width / 2, 0)
      expect(within.y + within.height / 2).toBeCloseTo(around.y + around.height / 2, 0)
    },
  )

  it('stays dark on light in a dark card', async () => {
    await open('Receive', 800, 900)
    await page.emulateMedia({ colorScheme: 'dark' })
    discardAfterTest()
    const code = page.locator('svg[role=img]')
    const fills = await code.evaluate((svg) => [
      getComputedStyle(svg).backgroundColor,
      getComputedStyle(svg.querySelector('path') ?? svg).fill,
    ])
    expect(fills).toEqual(['rgb(255, 255, 255)', 'rgb(17, 17, 17)'])
  })
})

it('a full address breaks between groups of four digits', async () => {
  await open('Receive', 800, 900)
  const text = page.getByRole('button', { name: 'Copy' }).locator('span').first()
  const lines = await text.evaluate((one) => {
    const tops: [number, string][] = []
    for (const group of one.childNodes) {
      if (group.nodeType !== Node.TEXT_NODE) continue
      const range = document.createRange()
      range.selectNodeContents(group)
      for (const { top } of range.getClientRects()) tops.push([Math.round(top), group.textContent ?? ''])
    }
    const grouped = Map.groupBy(tops, ([top]) => top)
    return [...grouped.values()].map((line) => line.map(([, group]) => group))
  })
  expect(lines.map((line) => line.join(''))).toEqual(['0x71C7656EC7ab88b098de', 'fB751B7401B5f6d8976F'])
  expect(await text.textContent()).toBe('0x71C7656EC7ab88b098defB751B7401B5f6d8976F')
})

// A window of 1280 × 800 px at a zoom of 200 %.
it.each(['Receive', 'TOTP, scan', 'Verification methods, none yet'])(
  'a focused button stays above the fade at twice the zoom: %s',
  async (screen) => {
    await open(screen, 640, 400)
    const buttons = page.getByRole('dialog').getByRole('button')
    const seen: string[] = []
    for (let at = 0; at < (await buttons.count()); at += 1) {
      await page.keyboard.press('Tab')
      const focused = page.locator('button:focus')
      if ((await focused.count()) === 0) continue
      const isFree = await focused.evaluate((button) => {
        const { left, right, bottom } = button.getBoundingClientRect()
        const scrolled = button.closest<HTMLElement>('[class*=inside]')
        if (!scrolled) throw new Error('The card does not scroll')
        const edge = scrolled.getBoundingClientRect().bottom
        const isAtEnd = scrolled.scrollTop + scrolled.clientHeight >= scrolled.scrollHeight - 1
        const under = document.elementFromPoint((left + right) / 2, bottom - 2)
        return (isAtEnd || bottom <= edge - 28) && (under === button || button.contains(under))
      })
      seen.push((await focused.textContent()) ?? '')
      expect(isFree, seen.at(-1) ?? '').toBe(true)
    }
    expect(seen.length).toBeGreaterThan(1)
  },
)

/** Returns the elements that overflow the card or the margins of their fact list. */
const tooWide = () =>
  page.getByRole('dialog').evaluate((card) => {
    const standsOut = (one: Element, of: Element, marginPx: number) => {
      const [{ left, right, width }, edges] = [one.getBoundingClientRect(), of.getBoundingClientRect()]
      return width > 1 && (left < edges.left + marginPx - 1 || right > edges.right - marginPx + 1)
    }
    const all = [...card.querySelectorAll('[data-leaving=false] *')].filter((one) => standsOut(one, card, 0))
    const values = [...card.querySelectorAll('dl')].flatMap((facts) =>
      [...facts.querySelectorAll('dt, dd svg, dd bdi, dd [dir=ltr]')].filter((one) =>
        standsOut(one, facts, 16),
      ),
    )
    return [...all, ...values].map((one) => one.closest('dd, dt, p')?.textContent ?? one.outerHTML)
  })

it.each([
  'Transactions together, of many digits',
  'Send a single thing',
  'Fund account',
  'Transfer from a wallet',
  'Connect a wallet, as the page asks',
])('all content stays within the margins of the card: %s', async (screen) => {
  for (const width of [800, 390, 320]) {
    await open(screen, width, 1_400)
    expect({ width, tooWide: await tooWide() }).toEqual({ width, tooWide: [] })
  }
})

describe('the centre of the card', () => {
  const offMiddle = async (locator: Locator) => {
    const [card, one] = [await boxOf(page.getByRole('dialog')), await boxOf(locator)]
    return Math.abs(card.x + card.width / 2 - one.x - one.width / 2)
  }
  it.each(['Password, update', 'Recovery, too new'])('contains the wallet avatar: %s', async (screen) => {
    await open(screen, 800, 900)
    expect(await offMiddle(page.locator('[data-leaving=false] [class*=face]').first())).toBeLessThan(1)
  })
  it.each(['Wallet, on any phone', 'Connect a wallet, another account'])(
    'contains the text to copy: %s',
    async (screen) => {
      await open(screen, 800, 900)
      // The copy icon is beside the text.
      const text = page.getByRole('button', { name: /Copy/ }).locator('span').first()
      expect(await offMiddle(text)).toBeLessThan(20)
    },
  )
})

it('buttons of a row are aligned at its end', async () => {
  await open('Wallets of other apps, three', 800, 900)
  const ends = await page
    .getByRole('button', { name: /^Unlink/ })
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
  expect(ends).toHaveLength(3)
  expect(new Set(ends).size).toBe(1)
})

it.each(['Verify, too often', 'Code, refused by the server'])(
  'the error of a code keeps a distance from its neighbours: %s',
  async (screen) => {
    await open(screen, 800, 900)
    const text = page.locator('[data-leaving=false] [class*=problem]')
    const digits = await boxOf(page.getByRole('group').first())
    const around = await text.evaluate((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const { top, bottom } = range.getBoundingClientRect()
      return { top, bottom }
    })
    expect(around.top - digits.y - digits.height).toBeGreaterThanOrEqual(8)
    const next = page.locator('[data-leaving=false] button').last()
    expect((await boxOf(next)).y - around.bottom).toBeGreaterThanOrEqual(6)
  },
)

it.each([768, 640])(
  "in a window %d px high the import page is uncovered, and its 'Cancel' is reached by scrolling",
  async (height) => {
    await open('Import, before the page came', 800, height)
    const frame = page.locator('iframe')
    await frame.waitFor()
    // The height that the page requests to show the address of a key.
    await frame.evaluate((one, heightPx) => {
      if (one instanceof HTMLIFrameElement) one.style.setProperty('block-size', `${heightPx}px`)
    }, 420)
    const scroller = page.locator('[data-part=inside]')
    const inside = await boxOf(scroller)
    const lastLine = { x: inside.x + inside.width / 2, y: inside.y + inside.height - 2 }
    const { y, height: ofFrame } = await boxOf(frame)
    if (y + ofFrame >= lastLine.y) {
      const atEdge = await page.evaluate(
        (point) => document.elementFromPoint(point.x, point.y)?.tagName,
        lastLine,
      )
      expect(atEdge).toBe('IFRAME')
    }
    expect(await scroller.evaluate((one) => getComputedStyle(one, '::after').display)).toBe('none')
    const cancel = page.getByRole('button', { name: 'Cancel' })
    await cancel.scrollIntoViewIfNeeded()
    const { y: top, height: ofButton } = await boxOf(cancel)
    expect(top + ofButton).toBeLessThanOrEqual(inside.y + inside.height)
  },
)
