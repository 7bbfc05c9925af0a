import { type ClientConfig, LatchkeyError } from '@latchkey/protocol'
import { catalogue } from '@latchkey/protocol/texts'
import { getByText } from '@testing-library/dom'
import { useEffect, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { useInfoWords } from '../approval/step/use-info-words.ts'
import { done, exitCodes, failed } from '../flow/flow.ts'
import { useLanguage } from '../i18n/context.tsx'
import { settle } from '../testing/clock.ts'
import { makeFixture, watch } from '../testing/fixture.ts'
import { renderDialog } from '../testing/page.tsx'
import { useDialog } from './context.ts'
import { type LazyScreen, lazyScreen, type ScreenProps } from './screen.ts'
import { useHeader, useWaits } from './screen-options.ts'
import { type CallScreens, createCall, createScreenCall, pushOnCard } from './screen-stack.ts'

const texts = async () => catalogue({}, async () => ({}))
const screenOf = <Props extends object>(name: string, component: (props: Props) => React.ReactNode) =>
  lazyScreen({ name, texts, component: async () => component })

/** Asks for a name, and can ask for a colour above itself. */
const nameScreen = screenOf(
  'NAME',
  function NameScreen({ screen, greeting }: ScreenProps<string, { greeting: string }>) {
    const { screens } = useDialog()
    const [colour, setColour] = useState('none')
    return (
      <>
        <p>{greeting}</p>
        <p>Colour: {colour}</p>
        <button type="button" onClick={() => screen.resolve('Mira')}>
          Mira
        </button>
        <button type="button" onClick={() => screen.reject(new LatchkeyError('not_supported', 'No name'))}>
          Nobody
        </button>
        <button
          type="button"
          onClick={async () => setColour((await screens.open(colourScreen, {})) ?? 'left')}
        >
          Choose a colour
        </button>
      </>
    )
  },
)
const colourScreen: LazyScreen<ScreenProps<string>> = screenOf(
  'COLOUR',
  ({ screen }: ScreenProps<string>) => (
    <>
      <button type="button" onClick={() => screen.resolve('green')}>
        Green
      </button>
      <button type="button" onClick={screen.leave}>
        No colour
      </button>
    </>
  ),
)

async function begin<Outcome>(
  run: (screens: CallScreens<Outcome>) => Promise<Outcome>,
  config: ClientConfig = {},
) {
  const fixture = await makeFixture({ config })
  const onClose = () => failed(new LatchkeyError(exitCodes.link, 'Closed'))
  const call = createCall<Outcome>(fixture, { kind: 'link', onClose }, run)
  const outcome = watch(fixture.stage.begin(call))
  return { ...fixture, outcome, page: renderDialog(fixture) }
}
const askName = ({ open }: Pick<CallScreens, 'open'>) => open(nameScreen, { greeting: 'Hello' })

describe('a call', () => {
  test('gets the result of its screen, and closes the card', async () => {
    const { page, outcome, clock, view } = await begin(askName)
    await page.see('Hello')
    await page.press('Mira')
    expect(outcome.value).toBe('Mira')
    await clock.advance(1_000)
    expect(view()).toMatchObject({ open: false, screen: undefined })
  })

  test('opens one screen after the other, without a way back', async () => {
    const { page, outcome } = await begin(async ({ open }) => [
      await open(nameScreen, { greeting: 'First' }),
      await open(nameScreen, { greeting: 'Second' }),
    ])
    await page.see('First')
    await page.press('Mira')
    await page.see('Second')
    expect(page.hasButton('Back')).toBe(false)
    await page.press('Mira')
    expect(outcome.value).toEqual(['Mira', 'Mira'])
  })

  test('fails with the error of its screen', async () => {
    const { page, outcome } = await begin(askName)
    await page.press('Nobody')
    expect(outcome.error).toMatchObject({ code: 'not_supported' })
  })

  test('fails with its exit code when the user closes the dialog, and runs no further', async () => {
    const steps: string[] = []
    const { page, outcome } = await begin(async (screens) => {
      await askName(screens).finally(() => steps.push('left'))
      steps.push('went on')
    })
    await page.press('Close')
    await settle()
    expect(outcome.error).toMatchObject({ code: 'exited_link_flow' })
    expect(steps).toEqual(['left'])
  })
})

test('a call settles its caller while its screen stays open', async () => {
  const { page, outcome, view } = await begin<string>(async (screens) => {
    screens.settle(done('early'))
    return askName(screens)
  })
  await page.see('Hello')
  expect(outcome.value).toBe('early')
  await page.press('Mira')
  expect(outcome.value).toBe('early')
  expect(view()?.open).toBe(false)
})

const coveredScreen = screenOf('COVERED', function CoveredScreen() {
  const { services, handle, isInFront } = useDialog()
  const [count, setCount] = useState(0)
  useInfoWords(count > 0 ? infoWords : undefined)
  async function cover() {
    setCount(count + 1)
    void pushOnCard(services, handle, nameScreen, { greeting: 'In front' })
    const wasInFront = isInFront()
    await handle.interrupt(createScreenCall(services, colourScreen, {}))
    handle.back()
    setCount((before) => before + (wasInFront ? 10 : 1))
  }
  return (
    <>
      <p>Count: {count}</p>
      <button type="button" onClick={() => void cover()}>
        Cover
      </button>
    </>
  )
})
const infoWords = { title: 'About', detail: 'Words' }

test('a screen that covers another of its call leaves its state and interruptions alone', async () => {
  const { page, view } = await begin(({ open }) => open(coveredScreen, {}))
  await page.press('Cover')
  await page.see('Green')
  await page.press('Green')
  await page.see('Count: 2')
  expect(page.has('In front')).toBe(false)
  expect(view()?.screen?.infoWords).toEqual(infoWords)
  expect(view()?.header.back).toBe(false)
})

describe('a screen opened above another', () => {
  test('returns its result to a screen that kept its state', async () => {
    const { page } = await begin(askName)
    await page.press('Choose a colour')
    await page.press('Green')
    await page.see('Colour: green')
    await page.press('Choose a colour')
    await page.see('Green')
    expect(page.has('Colour: green')).toBe(false)
    await page.press('Back')
    await page.see('Colour: left')
  })

  test('returns undefined when it leaves by itself', async () => {
    const { page } = await begin(askName)
    await page.press('Choose a colour')
    await page.press('No colour')
    await page.see('Colour: left')
  })

  test('closes together with the screen below', async () => {
    const { page, outcome } = await begin(askName)
    await page.press('Choose a colour')
    await page.press('Close')
    expect(outcome.error).toMatchObject({ code: 'exited_link_flow' })
  })
})

const opened: (string | undefined)[] = []
const twiceScreen = screenOf('TWICE', function TwiceScreen() {
  const { screens } = useDialog()
  const open = async () => void opened.push(await screens.open(colourScreen, {}))
  return (
    <button
      type="button"
      onClick={() => {
        void open()
        void open()
      }}
    >
      Open twice
    </button>
  )
})

test('a screen that is not in front opens nothing', async () => {
  const { page } = await begin(({ open }) => open(twiceScreen, {}))
  await page.press('Open twice')
  await page.press('Green')
  expect(opened).toEqual([undefined, 'green'])
  await page.see('Open twice')
})

const busyScreen = screenOf('BUSY', function BusyScreen() {
  const [isBusy, setBusy] = useState(false)
  useHeader({ back: false, close: !isBusy })
  return (
    <button type="button" onClick={() => setBusy(!isBusy)}>
      Toggle
    </button>
  )
})

test('a screen decides which header buttons it has', async () => {
  const { page } = await begin(({ open }) => open(busyScreen, {}))
  await page.press('Toggle')
  expect(page.hasButton('Close')).toBe(false)
  await page.press('Toggle')
  expect(page.hasButton('Close')).toBe(true)
})

test.each([
  ['is in the language of the dialog', { title: 'عنوان' }, 'ar', 'rtl'],
  ['is in English with its parts, if its own texts are in English only', undefined, 'en', 'ltr'],
])('a screen %s', async (_case, translation, lang, dir) => {
  const screen = lazyScreen({
    name: 'TITLE',
    texts: async () => catalogue({ title: 'Title' }, async () => translation),
    component: async () => () => <p>Parts in {useLanguage()}</p>,
  })
  const { page } = await begin(({ open }) => open(screen, {}), { intl: { locale: 'ar' } })
  await page.see(`Parts in ${lang}`)
  expect(getByText(document.body, `Parts in ${lang}`).parentElement).toMatchObject({ lang, dir })
})

type SlowProps = { ready: Promise<void> }
function SlowScreen({ ready }: SlowProps) {
  const [isReady, setReady] = useState(false)
  useEffect(() => void ready.then(() => setReady(true)), [ready])
  useWaits(!isReady)
  return <p>{isReady ? 'Ready' : 'Loading'}</p>
}
const slowScreen = lazyScreen({ name: 'SLOW', waits: true, texts, component: async () => SlowScreen })
type OpenerProps = SlowProps & { onMount?: () => void }
const openerScreen = screenOf('OPENER', function OpenerScreen({ ready, onMount }: OpenerProps) {
  const { screens } = useDialog()
  useEffect(() => onMount?.(), [onMount])
  return (
    <button type="button" onClick={() => void screens.open(slowScreen, { ready })}>
      Open
    </button>
  )
})

test('a screen that only shows progress is mounted unseen until it stops waiting', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { page } = await begin(({ open }) => open(openerScreen, { ready: promise }))
  await page.press('Open')
  expect(page.texts()).toContain('Open')
  expect(page.texts()).not.toContain('Loading')
  resolve()
  await page.see('Ready')
  expect(page.texts()).not.toContain('Open')
})

test('a screen is drawn once after a screen above it ended before it was seen', async () => {
  const onMount = vi.fn()
  const { page, stage } = await begin(({ open }) =>
    open(openerScreen, { ready: new Promise(() => {}), onMount }),
  )
  await page.press('Open')
  stage.back()
  await settle()
  await page.press('Open')
  expect(onMount).toHaveBeenCalledOnce()
})

test('a call that opens no screen leaves the card closed', async () => {
  const { outcome, view } = await begin(async () => 'at once')
  await settle()
  expect(outcome.value).toBe('at once')
  expect(view()?.open ?? false).toBe(false)
})
