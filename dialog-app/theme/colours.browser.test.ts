/** Checks by pixels that labels stay readable in every frame of a transition. */
import { describe, expect, it } from 'vitest'
import { openShell, page, settled } from '../shell/testing/opened.ts'
import { contrastOf } from '../shell/testing/pixels.ts'

const label = () => page.locator('[data-leaving=false] button[data-gate] [data-shown=true]')

async function picture() {
  const clip = await label().evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return { x, y, width, height }
  })
  return page.screenshot({ clip })
}

/** Waits until the change is drawn and all animations are paused. */
const change = (to: string) =>
  page.evaluate((caption) => {
    shell.update(caption)
    for (const one of document.getAnimations()) one.pause()
  }, to)
const stepTo = (ms: number) =>
  page.evaluate(async (atMs) => {
    // The card's height starts to animate one frame after the change and moves the label.
    for (let pass = 0; pass < 3; pass += 1) {
      for (const one of document.getAnimations()) {
        const isHeight = one.effect instanceof KeyframeEffect && one.effect.target?.hasAttribute('data-part')
        if (isHeight) one.finish()
        else one.pause()
        if (!isHeight) one.currentTime = atMs
      }
      await new Promise(requestAnimationFrame)
    }
  }, ms)

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  it.each(['#0a66c9', '#ffd400', '#8b1e3f'] as const)(
    'the label of an approval reads at 4.5:1 in every frame of every change, under the pointer too, in %s',
    async (accent) => {
      await openShell({ deviceScaleFactor: 2, reducedMotion: 'no-preference' })
      await page.evaluate((appearance) => shell.appearance(appearance), {
        theme,
        accentColor: accent,
      })
      await page.evaluate(() => shell.go('Sign, not yet'))
      await settled()
      const seen: [to: string, atMs: number, contrast: number][] = []
      for (const isPointedAt of [false, true]) {
        if (isPointedAt) await label().hover()
        for (const to of ['Sign', 'Sign, not yet', 'Sign, press again', 'Sign, too small', 'Sign']) {
          await change(to)
          for (const atMs of [0, 60, 130]) {
            await stepTo(atMs)
            seen.push([to, atMs, await contrastOf(page, await picture())])
          }
        }
      }
      expect(seen.filter(([, , contrast]) => contrast < 4.5)).toEqual([])
    },
  )
})

describe("user's own choice", () => {
  const alarms = async (caption: string) => {
    await openShell()
    await page.evaluate((name) => shell.go(name), caption)
    const shown = page.locator('[data-leaving=false]')
    await shown.getByRole('heading').first().waitFor()
    return shown.locator('[data-status=failed], [role=alert]').count()
  }

  it.each([
    'Verify by passkey, dismissed',
    'Passkey verification, refused by the device',
    'Passkey, not allowed',
    'Your passkeys, not allowed',
    'Passkey page, not allowed',
    'Passkey page, canceled',
    'OAuth, oauth_user_denied',
    'Telegram, oauth_user_denied',
    'Another app, oauth_user_denied',
    'Export, canceled',
  ])('%s', async (caption) => {
    expect(await alarms(caption)).toBe(0)
  })

  it.each([
    'Verify by passkey, no answer',
    'Passkey, unknown error',
    'Your passkeys, too many',
    'Passkey page, unknown',
    'OAuth, invalid_credentials',
    'Export, failed',
  ])('and what went wrong is one: %s', async (caption) => {
    expect(await alarms(caption)).toBeGreaterThan(0)
  })
})
