/** The shell in a real browser: focus, keys, paste, backdrop, motion, and the policy. */

import { describe, expect, it } from 'vitest'
import { discardAfterTest, openShell as open, page, settled } from './testing/opened.ts'
import type { handle } from './testing/shell-handle.ts'

type Handle = typeof handle
const go = (...args: Parameters<Handle['go']>) => page.evaluate((given) => shell.go(...given), args)
const update = (...args: Parameters<Handle['update']>) =>
  page.evaluate((given) => shell.update(...given), args)
const sent = () => page.evaluate(() => shell.sent())
const dialog = () => page.getByRole('dialog')
const digits = () => page.getByRole('group', { name: 'Six-digit code' }).getByRole('textbox')
const values = () =>
  digits().evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.value : '')))
const focused = () =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )
async function installClock() {
  await page.clock.install()
  discardAfterTest()
}
/** Stops the installed clock of the page 10 s later. From then on only the test moves it. */
async function stopClock() {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}
/** Plays animations twenty times as fast, for tests that look only at final states. */
async function hurry() {
  const devtools = await page.context().newCDPSession(page)
  discardAfterTest()
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 20 })
}

describe('the language', () => {
  it('can be changed by the host during typing without losing the text or the focus', async () => {
    await open()
    await go('Landing')
    await page.keyboard.type('mira@fieldnotes')
    await page.evaluate(() => shell.locale('ar'))
    await page.getByRole('dialog', { name: 'تسجيل الدخول إلى Fieldnotes' }).waitFor()
    await page.keyboard.type('.example')
    const field = page.getByRole('textbox').first()
    expect(await field.inputValue()).toBe('mira@fieldnotes.example')
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
  })
})

describe('a waiting screen', () => {
  it('is never shown for a short wait, and the previous screen cannot be pressed meanwhile', async () => {
    await open()
    await go('Send, failed before')
    const seen = await page.evaluate(() => {
      const title = () => document.querySelector('[data-leaving=false] h2')?.textContent
      const titles = [title()]
      const isPressable = [shell.isPressable('[data-leaving=false] button')]
      shell.update('Send, waiting', { waits: true })
      titles.push(title())
      isPressable.push(shell.isPressable('[data-leaving=false] button'))
      shell.update('Send, complete')
      titles.push(title())
      return { titles, isPressable }
    })
    const [before] = seen.titles
    expect(seen.titles).toEqual([before, before, 'Transaction complete!'])
    expect(seen.isPressable).toEqual([true, false])
  })

  it('is shown after 150 ms', async () => {
    await open()
    await installClock()
    await go('Send, failed before')
    const title = page.locator('[data-leaving=false] h2')
    const before = await title.textContent()
    await stopClock()
    await update('Send, waiting', { waits: true })
    await page.clock.runFor(149)
    expect(await title.textContent()).toBe(before)
    await page.clock.runFor(1)
    await title.filter({ hasText: 'Waiting for confirmation' }).waitFor()
  })

  it('is shown at once if no card is open yet', async () => {
    await open()
    const title = await page.evaluate(() => {
      void shell.go('Send, waiting', 'forward', false, { waits: true })
      return document.querySelector('[data-leaving=false] h2')?.textContent
    })
    expect(title).toBe('Waiting for confirmation')
  })
})

describe('the landing screen', () => {
  it('is a modal dialog, named by its title, with the focus in its first field', async () => {
    await open()
    await go('Landing')
    await page.getByRole('dialog', { name: 'Log in to Fieldnotes' }).waitFor()
    expect(await dialog().getAttribute('aria-modal')).toBe('true')
    expect(await focused()).toBe('E-mail')
  })

  it('submits only a valid address on Enter', async () => {
    await open()
    await go('Landing')
    const submit = page.getByRole('button', { name: 'Submit' })
    await page.keyboard.type('mira@fieldnotes')
    expect(await submit.isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await sent()).toEqual([])
    await page.keyboard.type('.example')
    expect(await submit.isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await sent()).toEqual([['submit', 'mira@fieldnotes.example']])
  })

  it('shows an error at the field after Enter on an incomplete address, until it is changed', async () => {
    await open()
    await go('Landing')
    const field = page.getByRole('textbox', { name: 'E-mail' })
    await page.keyboard.type('mira@')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'The part after the “@” is not complete.' }).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const describedBy = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`[id="${describedBy}"]`).textContent()).toBe(
      'The part after the “@” is not complete.',
    )
    expect(await focused()).toBe('E-mail')
    await page.keyboard.type('f')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await field.getAttribute('aria-invalid')).toBe('false')
    expect(await sent()).toEqual([])
  })

  it('shows the offline note and cancels the waiting request', async () => {
    await open()
    await go('Landing, offline')
    await page.getByText('You are offline. This will be sent when you are back online.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await sent()).toEqual([['cancel']])
  })

  it('types the first key into the first field if no control has the focus', async () => {
    await open()
    await go('Landing')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Shift')
    expect(await focused()).not.toBe('E-mail')
    await page.keyboard.type('mira')
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('mira')
  })

  // spec L9.13
  it('has a list of at most 400 px that scrolls beyond', async () => {
    await open({ viewport: { width: 1000, height: 1000 } })
    await go('Landing, nine methods')
    const heights = await page.getByRole('button', { name: 'Apple' }).evaluate((row) => {
      const list = row.parentElement?.parentElement?.parentElement
      if (!list) throw new Error('A row stands in a list')
      const { paddingBlockStart, paddingBlockEnd, overflowY } = getComputedStyle(list)
      const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
      return { overflowY, shown: list.clientHeight - padding, whole: list.scrollHeight - padding }
    })
    expect(heights.overflowY).toBe('auto')
    expect(heights.shown).toBeLessThanOrEqual(400)
    expect(heights.shown).toBeGreaterThan(300)
    expect(heights.whole).toBeGreaterThan(400)
  })

  // spec L1.12
  it("shows the host's header and message", async () => {
    await open()
    await go('Landing')
    await page.evaluate(() =>
      shell.appearance({ landingHeader: 'Join the survey', loginMessage: 'Yours to take along.' }),
    )
    await page.getByRole('heading', { name: 'Join the survey' }).waitFor()
    await page.getByText('Yours to take along.').waitFor()
  })

  // spec L9.15
  it('shows a square logo at 56 px, and any other within 180 by 90 px', async () => {
    await open()
    const sizeOf = async (caption: string) => {
      await go(caption)
      const logo = page.locator('[data-leaving="false"] img[data-square]')
      await settled()
      const box = await logo.boundingBox()
      // Vector images are clipped at invisible fractions of a pixel.
      return box && [Math.round(box.width), Math.round(box.height)]
    }
    await page.evaluate(() =>
      shell.appearance({
        logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"/>')}`,
      }),
    )
    expect(await sizeOf('Landing')).toEqual([56, 56])
    await page.evaluate(() =>
      shell.appearance({
        logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>')}`,
      }),
    )
    expect(await sizeOf('Landing')).toEqual([180, 90])
  })

  // spec L2.6, L2.7
  it('shows the consent line only with both links and without a consent screen', async () => {
    await open()
    await go('Landing')
    const line = page.getByText('By logging in I agree to the Terms & Privacy Policy')
    await line.waitFor()
    const terms = page.getByRole('link', { name: 'Terms' })
    expect(await terms.getAttribute('target')).toBe('_blank')
    expect(await terms.getAttribute('rel')).toContain('noopener')
    await page.evaluate(() => shell.legal({ requireUsersAcceptTerms: true }))
    await line.waitFor({ state: 'detached' })
  })

  // spec L3.33
  it('links to the terms and the privacy policy of the host page, else of the app', async () => {
    await open()
    await go('Landing')
    const links = async () => {
      const addresses = ['Terms', 'Privacy Policy'].map((name) =>
        page.getByRole('link', { name }).getAttribute('href'),
      )
      return Promise.all(addresses)
    }
    expect(await links()).toEqual(['https://fieldnotes.example/terms', 'https://fieldnotes.example/privacy'])
    const ofPage = {
      termsAndConditionsUrl: 'https://host.example/terms',
      privacyPolicyUrl: 'https://host.example/privacy',
    } as const
    await page.evaluate((legal) => shell.legal(legal), ofPage)
    await expect.poll(links).toEqual(['https://host.example/terms', 'https://host.example/privacy'])
  })

  // spec L1.13
  it('shows an input that the host hides only after a press', async () => {
    await open()
    await go('Landing, inputs hidden')
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('button', { name: 'Continue with e-mail' }).click()
    expect(await focused()).toBe('E-mail')
  })
})

describe('the info button', () => {
  // spec L2.2
  it('is in the header beside the close button, and absent on screens without an explanation', async () => {
    await open()
    const names = () =>
      page
        .getByRole('banner')
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    const info = page.getByRole('button', { name: 'What is a signature?' })
    await go('Wallet, creating')
    expect(await names()).toEqual([])
    await go('Landing')
    expect(await names()).toEqual(['Close'])
    await page.evaluate(() => shell.goOn('Code'))
    expect(await names()).toEqual(['Back', 'Close'])
    await go('Sign')
    await info.waitFor()
    expect(await names()).toEqual(['What is a signature?', 'Close'])
  })

  it('opens a dialog above the card, which Escape closes alone, restoring the focus', async () => {
    await open()
    await go('Sign')
    await page.getByRole('button', { name: 'What is a signature?' }).click()
    const explained = page.getByRole('dialog', { name: 'What is a signature?' })
    await explained.waitFor()
    await page.keyboard.press('Escape')
    await explained.waitFor({ state: 'detached' })
    expect(await focused()).toBe('What is a signature?')
    expect(await sent()).toEqual([])
    await page.keyboard.press('Escape')
    expect(await sent()).toEqual([['close']])
  })
})

describe('closing the card', () => {
  it('is requested by the close button, Escape and the backdrop', async () => {
    await open()
    await go('Landing')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('Escape')
    // The backdrop ignores presses while the card moves.
    await settled()
    await page.mouse.click(5, 5)
    expect(await sent()).toEqual([['close'], ['close'], ['close']])
  })

  it('is not offered on a screen that cannot be closed', async () => {
    await open()
    await go('Wallet, creating')
    await page.keyboard.press('Escape')
    await settled()
    await page.mouse.click(5, 5)
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0)
    expect(await sent()).toEqual([])
  })

  it('asks before an accidental key or click discards a code, and restores the focus', async () => {
    await open()
    await go('Code')
    await page.keyboard.type('48')
    // A press beside a moving card is ignored.
    await settled()
    const question = page.getByRole('alertdialog', { name: 'Stop entering the code?' })
    // A closed dialog has no role, so this waits for the removal of its element.
    const gone = () => page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await gone()
    await page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'Keep going' }).click()
    await gone()
    await page.keyboard.type('2')
    expect(await values()).toEqual(['4', '8', '2', '', '', ''])
    expect(await sent()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    expect(await sent()).toEqual([['close']])
  })

  it('asks nothing after the close button or an accepted code', async () => {
    await open()
    await go('Code')
    await page.getByRole('button', { name: 'Close' }).click()
    await go('Code, accepted')
    await page.keyboard.press('Escape')
    expect(await sent()).toEqual([['close'], ['close']])
    expect(await page.getByRole('alertdialog').count()).toBe(0)
  })

  it('skips a held screen by a key or press that began on it', async () => {
    await open()
    const hold = () => page.evaluate(() => shell.go('Wallet created, new user', 'forward', true))
    await go('Landing')
    await page.keyboard.down('Enter')
    await page.mouse.move(5, 5)
    await page.mouse.down()
    await hold()
    // Presses that began earlier, and keys without an action.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.mouse.up()
    for (const key of ['Tab', 'Shift', 'Control', 'ArrowDown', 'a', 'Control+Enter'])
      await page.keyboard.press(key)
    expect(await sent()).toEqual([])
    for (const key of ['Enter', ' ', 'Escape']) {
      await hold()
      await page.keyboard.press(key)
    }
    for (const [x, y] of [
      [5, 5],
      [640, 360],
    ] as const) {
      await hold()
      await page.mouse.click(x, y)
    }
    expect(await sent()).toEqual(Array(5).fill(['skip']))
    await page.getByRole('button', { name: 'Close' }).click()
    expect((await sent()).slice(5)).toEqual([['close']])
  })

  it('removes the dialog when the view is reset', async () => {
    await open()
    await go('Landing')
    await page.evaluate(() => shell.close())
    expect(await dialog().count()).toBe(1)
    await page.evaluate(() => shell.reset())
    await dialog().waitFor({ state: 'detached' })
  })
})

describe('a screen change', () => {
  it('focuses the next field, announces the title, and removes the previous screen', async () => {
    await open()
    await go('Landing')
    await go('Code')
    expect(await focused()).toBe('Digit 1 of 6')
    await page.locator('[aria-live]', { hasText: 'Enter confirmation code' }).waitFor({ state: 'attached' })
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor({ state: 'detached' })
  })

  it('names the document after the screen', async () => {
    await open()
    const title = () => page.evaluate(() => document.title)
    await go('Landing')
    expect(await title()).toBe('Log in to Fieldnotes')
    await go('Sign')
    expect(await title()).toBe('Sign message')
    await update('Sign, signed')
    expect(await title()).toBe('Success')
  })

  it('gives the close button no redundant description', async () => {
    await open()
    await go('Code')
    const description = await page.getByRole('button', { name: 'Close' }).getAttribute('title')
    expect(description).toBeNull()
  })

  it('focuses the title if there is no field or the focused control disappears', async () => {
    await open()
    await go('Sign')
    expect(await focused()).toBe('Sign message')
    await page.getByRole('button', { name: 'Sign and continue' }).focus()
    await update('Sign, signed')
    expect(await focused()).toBe('Success')
  })

  it('leaves a screen that cannot be pressed', async () => {
    await open()
    await go('Error')
    const isPressable = await page.evaluate(() => {
      const before = shell.isPressable('[data-leaving=false] button')
      void shell.go('Landing')
      return [before, shell.isPressable('[data-leaving=true] button')]
    })
    expect(isPressable).toEqual([true, false])
  })
})

// spec L2.38
it('a missing account is stated in the title', async () => {
  await open()
  await go('Account not found')
  await page.getByRole('dialog', { name: 'Account not found' }).waitFor()
})

// spec L2.40, L2.70
it.each([
  ['Wallet, gave up', 'Could not connect with wallet', 'Try again', 'retry'],
  ['Wallet, gave up', 'Could not connect with wallet', 'Cancel', 'leave'],
  ['Verify by passkey, no answer', 'Verifying with passkey', 'Try again', 'again'],
])('on "%s", under "%s", the button "%s" sends its event', async (caption, title, name, event) => {
  await open()
  await go(caption)
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
  await page.getByRole('button', { name, exact: true }).click()
  expect(await sent()).toEqual([[event]])
})

describe('the code input', () => {
  // spec L2.27, L5.10
  it('has six fields and submits when the last one is filled', async () => {
    await open()
    await go('Code')
    expect(await digits().count()).toBe(6)
    await page.keyboard.type('48291')
    expect(await sent()).toEqual([])
    await page.keyboard.type('3')
    expect(await sent()).toEqual([['submit', '482913']])
  })

  // spec L5.9
  it('distributes a pasted code from any field', async () => {
    await open()
    await go('Code')
    await page.evaluate(() => navigator.clipboard.writeText('Your code: 482 913'))
    await digits().nth(2).focus()
    await page.keyboard.press('ControlOrMeta+V')
    expect(await sent()).toEqual([])
    await page.evaluate(() => navigator.clipboard.writeText('482 913'))
    await page.keyboard.press('ControlOrMeta+V')
    expect(await values()).toEqual(['4', '8', '2', '9', '1', '3'])
    expect(await sent()).toEqual([['submit', '482913']])
  })

  it('distributes a code that the browser fills into the first field', async () => {
    await open()
    await go('Code')
    expect(await digits().first().getAttribute('autocomplete')).toBe('one-time-code')
    await digits().first().fill('482913')
    expect(await values()).toEqual(['4', '8', '2', '9', '1', '3'])
    expect(await sent()).toEqual([['submit', '482913']])
  })

  // spec L5.8
  it('shows an error for a letter until a digit is typed', async () => {
    await open()
    await go('Code')
    await page.keyboard.type('x')
    await page.getByText('Code should be numeric').waitFor()
    expect(await values()).toEqual(['', '', '', '', '', ''])
    await page.keyboard.type('4')
    await page.getByText('Code should be numeric').waitFor({ state: 'detached' })
  })

  it('is edited with arrow keys, Backspace, Home and End', async () => {
    await open()
    await go('Code')
    await page.keyboard.type('4829')
    await page.keyboard.press('Backspace')
    expect(await values()).toEqual(['4', '8', '2', '', '', ''])
    await page.keyboard.press('Home')
    await page.keyboard.type('7')
    expect(await values()).toEqual(['7', '8', '2', '', '', ''])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('End')
    expect(await focused()).toBe('Digit 6 of 6')
  })

  it('ignores keys and keeps the focus during the check, then shows the error and empties', async () => {
    await open()
    await go('Code')
    await page.keyboard.type('482913')
    await update('Code, checking')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('1')
    expect(await values()).toEqual(['4', '8', '2', '9', '1', '3'])
    expect(await focused()).toBe('Digit 6 of 6')
    await update('Code, wrong')
    await page.getByText('Invalid or expired verification code').waitFor()
    expect(await digits().first().getAttribute('aria-invalid')).toBe('true')
    await update('Code, after a wrong one')
    expect(await values()).toEqual(['', '', '', '', '', ''])
    expect(await focused()).toBe('Digit 1 of 6')
    expect(await page.getByText('Invalid or expired verification code').isVisible()).toBe(true)
  })

  it('shows the check only after 150 ms', async () => {
    await open()
    await installClock()
    await go('Code')
    await page.keyboard.type('482913')
    await stopClock()
    await update('Code, checking')
    await page.locator('[data-status=busy]').waitFor()
    await page.clock.runFor(149)
    expect(await page.getByText('Checking the code').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Resend code' }).isVisible()).toBe(true)
    await page.clock.runFor(1)
    await page.getByText('Checking the code').waitFor()
    expect(await page.getByRole('button', { name: 'Resend code' }).count()).toBe(0)
  })

  it('accepts any first key after a wrong code without a delay', async () => {
    await open()
    for (const [key, left] of [
      ['4', ['4', '', '', '', '', '']],
      // The digit in the focused field.
      ['3', ['3', '', '', '', '', '']],
      ['Backspace', ['', '', '', '', '', '']],
      ['x', ['', '', '', '', '', '']],
    ] as const) {
      await page.evaluate(() => shell.reset())
      await go('Code')
      await page.keyboard.type('482913')
      await update('Code, checking')
      await update('Code, wrong')
      const before = await page.evaluate(() => shell.edits())
      await page.keyboard.press(key)
      expect([key, await values()]).toEqual([key, left])
      expect(await page.evaluate(() => shell.edits())).toBe(before + 1)
      await update('Code, after a wrong one')
    }
  })

  it('moves on when the same digit is typed again', async () => {
    await open()
    await go('Code')
    await page.keyboard.type('48')
    await page.keyboard.press('Home')
    await page.keyboard.type('49')
    expect(await values()).toEqual(['4', '9', '', '', '', ''])
  })

  it('can be resent and confirms it', async () => {
    await open()
    await go('Code')
    await page.getByRole('button', { name: 'Resend code' }).click()
    expect(await sent()).toEqual([['resend']])
    await update('Code, sent anew')
    await page.getByText('Code sent').waitFor()
    expect(await page.getByRole('button', { name: 'Resend code' }).count()).toBe(0)
  })

  it('counts down the seconds until it can be resent', async () => {
    await open()
    await installClock()
    await go('Code, sent anew')
    const seconds = async () =>
      Number(/\d+/.exec((await page.getByText(/^Resend in/).textContent()) ?? '')?.[0])
    await stopClock()
    const first = await seconds()
    await page.clock.runFor(1_000)
    expect(await seconds()).toBe(first - 1)
  })

  it('explains the block after too many wrong codes, beside the text of the specification', async () => {
    await open()
    await go('Code, guessed too often')
    await page.getByText('Issue verifying code').waitFor()
    await page.getByText('Too many wrong codes. Wait 10 minutes, then ask for a new one.').waitFor()
  })
})

describe('an approval', () => {
  it('shows the names of invisible characters', async () => {
    await open()
    await go('Sign, invisible characters')
    const message = await page.getByRole('group', { name: 'Message' }).textContent()
    expect(message).toContain('U+202E')
    expect(message).toContain('␀')
  })

  it('copies the whole address', async () => {
    await open()
    await go('Sign')
    await page.getByRole('button', { name: /Copy/ }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    )
  })
})

describe('the approve button', () => {
  const reviews = [
    'Send',
    'Send, not enough, and funds can be added',
    'Allow without limit',
    'Create a contract',
    'Send, own words',
    'Sign typed data',
    'Sign typed data, permit',
    'Sign typed data, order of a market',
    'Sign typed data, long and hidden',
    'Sign, long message',
  ]
  /** Checks the approve button, or its replacement, by hit tests at its centre and edges. */
  const press = () => {
    const foot = document.querySelector('[data-leaving="false"] [data-part="foot"]')
    const buttons = [...(foot?.querySelectorAll('button') ?? [])].filter(
      (one) => getComputedStyle(one).visibility === 'visible',
    )
    const outside = buttons.filter((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect()
      const points = [top + 2, (top + bottom) / 2, bottom - 2]
      return points.some((y) => !one.contains(document.elementFromPoint((left + right) / 2, y)))
    })
    return { seen: buttons.length, outside: outside.map((one) => one.textContent) }
  }

  it.each([
    ['a desktop', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 700 }],
    ['200 %', { width: 640, height: 400 }],
    ['the height of a keyboard less', { width: 390, height: 400 }],
  ])(
    'stays within the window for every request, without a fade drawn over it: %s',
    async (_what, viewport) => {
      await open({ viewport })
      await hurry()
      for (const caption of reviews) {
        await go(caption)
        await settled()
        const { seen, outside } = await page.evaluate(press)
        expect([caption, outside]).toEqual([caption, []])
        expect(seen).toBeGreaterThan(0)
      }
    },
  )

  it('covers no fact of the request', async () => {
    await open({ viewport: { width: 390, height: 500 } })
    await hurry()
    await go('Send')
    await settled()
    const gap = await page.evaluate(() => {
      const layer = document.querySelector('[data-leaving="false"]')
      const foot = layer?.querySelector('[data-part="foot"]')
      const last = [...(layer?.querySelectorAll('dl > div') ?? [])].at(-1)
      const inside = document.querySelector('[data-part="inside"]')
      inside?.scrollTo(0, inside.scrollHeight)
      return (foot?.getBoundingClientRect().top ?? 0) - (last?.getBoundingClientRect().bottom ?? 0)
    })
    expect(gap).toBeGreaterThanOrEqual(0)
  })
})

describe('the card', () => {
  const box = async () => {
    await settled()
    const found = await dialog().boundingBox()
    if (!found) throw new Error('there is no card')
    return found
  }

  // spec L9.14
  it('is 376 px wide in windows from 441 px, and a bottom sheet in narrower ones', async () => {
    await open({ viewport: { width: 441, height: 800 } })
    await go('Landing')
    expect((await box()).width).toBe(376)
    await page.setViewportSize({ width: 440, height: 800 })
    const sheet = await box()
    expect(sheet.width).toBe(440)
    expect(sheet.y + sheet.height).toBe(800)
  })

  it('stays above the keyboard, within 92 % of the remaining height, with its close button visible', async () => {
    const viewport = { width: 390, height: 800 }
    await open({ viewport, hasTouch: true, reducedMotion: 'no-preference' })
    await go('Code')
    await settled()
    // The keyboard opens while the card grows. The card must never exceed the remaining height.
    const highest = await page.evaluate(() => {
      shell.go('Sign, long message')
      shell.viewport(400)
      const card = document.querySelector<HTMLElement>('[role=dialog]')
      return new Promise<number>((done) => {
        const heights: number[] = []
        const look = () => {
          heights.push(card?.offsetHeight ?? Number.POSITIVE_INFINITY)
          if (heights.length < 5) requestAnimationFrame(look)
          else done(Math.max(...heights))
        }
        requestAnimationFrame(look)
      })
    })
    expect(highest).toBeLessThanOrEqual(368)
    const sheet = await box()
    expect(sheet.y + sheet.height).toBe(400)
    expect(sheet.height).toBeLessThanOrEqual(368)
    await page.getByRole('button', { name: 'Sign and continue' }).scrollIntoViewIfNeeded()
    const close = await page.getByRole('button', { name: 'Close' }).boundingBox()
    expect(close?.y).toBeGreaterThanOrEqual(sheet.y)
  })

  it('renders no screen again while a keyboard moves', async () => {
    await open({ viewport: { width: 390, height: 800 }, hasTouch: true })
    await installClock()
    await go('Landing')
    await settled()
    // The announcement of the title ends after 1 s.
    await page.clock.fastForward(1_000)
    await page.waitForFunction(() => document.querySelector('[aria-live]')?.textContent === '')
    const drawn = await page.evaluate(async () => {
      const before = shell.drawings()
      for (let tick = 1; tick <= 10; tick += 1) {
        shell.viewport(800 - tick * 30)
        await new Promise(requestAnimationFrame)
        await new Promise((next) => setTimeout(next))
      }
      return shell.drawings() - before
    })
    const sheet = await box()
    expect(sheet.y + sheet.height).toBe(500)
    expect(drawn).toBe(0)
  })

  it('fits 320 px without horizontal scrolling', async () => {
    await open({ viewport: { width: 320, height: 640 } })
    for (const caption of ['Landing, long words', 'Code', 'Sign, own words', 'Sign, long message']) {
      await go(caption)
      await box()
      const outside = await dialog().evaluate((card) => {
        const { left, right } = card.getBoundingClientRect()
        return [...card.querySelectorAll('*')]
          .map((one) => one.getBoundingClientRect())
          .filter((rect) => rect.width > 0 && (rect.left < left || rect.right > right)).length
      })
      expect([caption, outside]).toEqual([caption, 0])
      expect(await dialog().evaluate((card) => card.scrollWidth <= card.clientWidth)).toBe(true)
    }
  })

  it('moves nothing with reduced motion', async () => {
    await open({ reducedMotion: 'reduce' })
    await go('Landing')
    await go('Code')
    const moved = await page.evaluate(() =>
      document
        .getAnimations()
        .flatMap((one) => (one.effect instanceof KeyframeEffect ? one.effect.getKeyframes() : []))
        .filter((frame) => 'transform' in frame || 'blockSize' in frame),
    )
    expect(moved).toEqual([])
  })
})

/** Untranslated data: names, their initials, and addresses. */
const brands =
  'Fieldnotes|Latchkey|Apple|Discord|GitHub|Google|LinkedIn|Spotify|Instagram|TikTok|Farcaster|Telegram|Warpcast|MoonPay'
/** Names of wallets, browsers and passkey providers. */
const names = [
  'The wallet of a very long name for its small row',
  'Cairn',
  'MetaMask',
  'Rainbow',
  'WalletConnect',
  'iCloud Keychain',
  'Chrome',
  'Windows',
  'VPN',
  'Phantom',
  'App Store',
  'wc:\\S*',
  'QR',
  '(?:JBSW|Y3DP|EHPK|3PXP)',
  // Typed text, and the specification's notation for a space.
  'SPACE|ì',
  // Names of chains and contracts, errors of RPC nodes, and block explorers.
  'Ethereum|Sepolia|Base|ETH|USDC|SOL|BIRD|US|CD',
  'Google Drive|(?:Apple )?iCloud',
  'HAgk14[1-9A-HJ-NP-Za-km-z]*(?:…Kpqk)?',
  'U\\+[\\dA-F]{4}',
  'CALL_EXCEPTION|UNPREPARED',
  'https://etherscan\\.io|https://faucet\\.example/sepolia',
  'wallet-of-somebody-else\\.example',
  // Accounts and programs of Solana.
  '(?:EPjFWdd5|5Gvt3b3T|JUP6LkbZ)[1-9A-HJ-NP-Za-km-z]+',
  // Browsers and devices.
  'Firefox|Safari|Samsung Internet|Linux|iPhone|Android',
  // Other apps and their origins.
  'Ledgerline|Harbour|Harbor|Tide Tables|The Society of Antiquaries of Newcastle',
  'The Very Long Name Of An App That Somebody Registered With Care',
  '(?:harbour|tide-tables|a-rather-long-subdomain\\.of-an?-(?:app|site)-with-a-long-name)\\.example(?::8443)?',
  // Self-declared names of dapps.
  'Tide Market|market\\.tides\\.example|The Very Long Name That A Site Gives Itself|Optimism',
  // Technical names in requests of dapps.
  '\\b(?:solana|eip155:250|eth_sign|message)\\b',
  // Texts from the server, in the language of the call.
  'The wallet (?=0x)|An authenticator app',
  // The SMS reply that resubscribes a phone.
  '\\bSTART\\b',
].join('|')
const data = new RegExp(
  `${names}|^[FTX]$|\\bX\\b|${brands}|[\\w.]+@[\\w.]+\\.(?:example|com)|0x[\\da-fA-F]+…?[\\da-fA-F]*|(?:[\\w.-]+\\.)?fieldnotes\\.example`,
  'g',
)
/** Screens with texts of the host or the app. */
const inOwnWords = [
  'Landing, own words and logo',
  'Landing, long words',
  'Allowlist, own link',
  'Sign, own words',
  'Send, own words',
  'Farcaster signer, of an app with a long name',
  'Fund account, of an app with a long name',
  'Sign typed data',
  'Sign typed data, permit',
  'Sign typed data, long and hidden',
  'Sign typed data, to its page',
  'Sign typed data, to its page, preparing',
  'Sign typed data, on the page',
  'Sign typed data, order of a market',
]

describe('in Arabic', () => {
  it('no screen shows Latin letters in any state', async () => {
    // A small window renders faster, and its text is complete all the same.
    await open({ viewport: { width: 460, height: 420 } }, '/?locale=ar')
    await hurry()
    const captions = (await page.evaluate(() => shell.captions())).filter((one) => !inOwnWords.includes(one))
    expect(captions.length).toBeGreaterThan(40)
    const texts = await page.evaluate(async (all) => {
      const read = () => {
        // Excludes the leaving screen, which was already read, and the message, which is data.
        const isOther = (one: Element) => one.closest('[data-leaving="true"], [role="group"][dir="auto"]')
        const shown = [...document.body.querySelectorAll('*')].filter((one) => !isOther(one))
        const attributes = ['aria-label', 'title', 'alt', 'placeholder']
        return shown.flatMap((one) => [
          ...attributes.map((name) => one.getAttribute(name) ?? ''),
          // Joins an address across its line break opportunities.
          ...[...one.childNodes]
            .reduce((text, node) => {
              if (node instanceof Text) return text + node.data
              return node.nodeName === 'WBR' ? text : `${text}\n`
            }, '')
            .split('\n'),
        ])
      }
      const texts: [caption: string, texts: string[]][] = []
      for (const caption of all) {
        await shell.go(caption)
        texts.push([caption, [...read(), document.title]])
      }
      return texts
    }, captions)
    const isLatin = (text: string) => /\p{Script=Latin}/u.test(text.replace(data, ''))
    const inLatin = texts
      .map(([caption, all]) => [caption, all.filter(isLatin)] as const)
      .filter(([, latin]) => latin.length > 0)
    expect(inLatin).toEqual([])
  }, 180_000)
})

describe('a small window', () => {
  it('of 700 by 320 px keeps every card and its buttons within reach', async () => {
    await open({ viewport: { width: 700, height: 320 } })
    await hurry()
    const { fitting, outside } = await page.evaluate(async () => {
      const outside: string[] = []
      const fitting: string[] = []
      for (const caption of shell.captions()) {
        await shell.go(caption)
        await shell.settled()
        const card = document.querySelector('[role=dialog]')
        const { top = -1, bottom = 0 } = card?.getBoundingClientRect() ?? {}
        const fits = top >= 0 && bottom <= innerHeight && card && card.scrollWidth <= card.clientWidth
        if (fits) fitting.push(caption)
        else outside.push(caption)
      }
      return { fitting, outside }
    })
    expect(outside).toEqual([])
    expect(fitting.length).toBeGreaterThan(40)
    await go('Sign, long message')
    const button = page.getByRole('button', { name: 'Sign and continue' })
    await button.scrollIntoViewIfNeeded()
    expect((await button.boundingBox())?.y).toBeLessThan(320 - 48)
  }, 180_000)
})

describe('forced colours', () => {
  it('fill the primary button and keep its label readable', async () => {
    await open({ forcedColors: 'active' })
    await go('Error')
    const colours = await page.getByRole('button', { name: 'Try again' }).evaluate((button) => {
      const probe = document.createElement('i')
      document.body.append(probe)
      const of = (name: string) => {
        probe.style.color = name
        return getComputedStyle(probe).color
      }
      const { backgroundColor, color } = getComputedStyle(button)
      return { backgroundColor, color, fill: of('Highlight'), label: of('HighlightText') }
    })
    expect([colours.backgroundColor, colours.color]).toEqual([colours.fill, colours.label])
  })
})
