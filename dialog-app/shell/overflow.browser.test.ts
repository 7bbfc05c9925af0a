/** Translations are longer than English: no text is cut off in a phone window. */
import { expect, it } from 'vitest'
import { openShell, page } from './testing/opened.ts'

/** Shows a screen, and returns its texts that stand out of the card, of a control, or of an element that clips them. */
async function findCutTexts(caption: string): Promise<string[]> {
  await shell.go(caption)
  const card = document.querySelector('[role=dialog]')
  if (!card) throw new Error('No dialog is shown')

  /** Returns the elements around a text, the closest first and the card last. */
  function getContainers(text: Node): Element[] {
    const containers: Element[] = []
    for (let one = text.parentElement; one && card?.contains(one); one = one.parentElement) {
      containers.push(one)
    }
    return containers
  }

  /** Texts for screen readers are one pixel wide. */
  const isVisible = (containers: Element[]) =>
    containers[0]?.checkVisibility({ visibilityProperty: true }) === true &&
    !containers[0].closest('[data-leaving=true]') &&
    containers.every((one) => one.getBoundingClientRect().width > 1)

  const isScroller = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowY)

  function isCut(text: Node, containers: Element[]): boolean {
    const range = document.createRange()
    range.selectNodeContents(text)
    const place = range.getBoundingClientRect()
    return containers.some((one, position) => {
      const box = one.getBoundingClientRect()
      const standsOutX = place.left < box.left - 1 || place.right > box.right + 1
      const standsOutY = place.top < box.top - 1 || place.bottom > box.bottom + 1
      if (!standsOutX && !standsOutY) return false
      const { display, overflowX, overflowY } = getComputedStyle(one)
      if (display === 'inline') return false
      const isControl = one.matches('button, a')
      return (
        (standsOutX && (isControl || one === card || overflowX !== 'visible')) ||
        (standsOutY &&
          (isControl || overflowY !== 'visible') &&
          !containers.slice(0, position + 1).some(isScroller))
      )
    })
  }

  const cut: string[] = []
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (text.textContent?.trim() === '') continue
    const containers = getContainers(text)
    if (isVisible(containers) && isCut(text, containers)) cut.push(`${caption}: ${text.textContent}`)
  }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) cut.push(`${caption}: the page scrolls sideways`)
  return cut
}

it('no screen cuts off a text of the pseudo-locale in a window of 390 px', async () => {
  await openShell({ viewport: { width: 390, height: 844 } }, '/?locale=en-XA')
  const captions = await page.evaluate(() => shell.captions())
  expect(captions.length).toBeGreaterThan(400)
  const cut: string[] = []
  for (const caption of captions) cut.push(...(await page.evaluate(findCutTexts, caption)))
  expect(cut).toEqual([])
})
