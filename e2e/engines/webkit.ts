/**
 * WebKitGTK over WebDriver, on its own display: https://www.w3.org/TR/webdriver2/
 *
 * The driver addresses one window and one frame at a time. This session implements only the commands that the
 * smoke test needs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const webkitDriver = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver'
const webkitBrowser = () =>
  process.env.WEBKIT_BROWSER ?? globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').at(-1)

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
const waitMs = 40_000
const lookAgainMs = 100
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export type Element = string
export type WebKitSession = {
  open: (url: string) => Promise<void>
  find: (css: string) => Promise<Element>
  click: (element: Element) => Promise<void>
  /** Types keys into the focused element. */
  type: (text: string) => Promise<void>
  run: <T>(script: string, ...args: readonly unknown[]) => Promise<T>
  until: (script: string, ...args: readonly unknown[]) => Promise<void>
  enterFrame: (frame: Element) => Promise<void>
  leaveFrames: () => Promise<void>
  close: () => Promise<void>
}

export const keys = { enter: '\uE007', escape: '\uE00C', tab: '\uE004' } as const

export async function startWebKit(port: number): Promise<WebKitSession> {
  const display = `:${port % 1000}`
  const programs: ChildProcess[] = [
    spawn('Xvfb', [display, '-screen', '0', '1280x900x24'], { stdio: 'ignore' }),
    spawn(webkitDriver, [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: display,
        LIBGL_ALWAYS_SOFTWARE: '1',
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      },
    }),
  ]
  const end = () => {
    for (const program of programs) program.kill()
  }

  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(waitMs * 2),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }

  async function keepTrying<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + waitMs
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (Date.now() > deadline) throw error
        await pause(lookAgainMs)
      }
    }
  }

  try {
    await keepTrying(() => send('GET', '/status'))
    const created = (await keepTrying(() =>
      send('POST', '/session', {
        capabilities: {
          alwaysMatch: {
            'webkitgtk:browserOptions': { binary: webkitBrowser(), args: ['--automation'] },
          },
        },
      }),
    )) as { sessionId: string }
    const session = `/session/${created.sessionId}`
    const run = async (script: string, ...args: readonly unknown[]) =>
      send('POST', `${session}/execute/sync`, { script, args })
    return {
      /** Resets the frame first, because a failed test may have left another one selected. */
      open: async (url) => {
        await send('POST', `${session}/frame`, { id: null })
        await send('POST', `${session}/url`, { url })
      },
      find: (css) =>
        keepTrying(async () => {
          const element = await send('POST', `${session}/element`, { using: 'css selector', value: css })
          return (element as Record<string, string>)[elementKey] ?? ''
        }),
      click: async (element) =>
        void (await keepTrying(() => send('POST', `${session}/element/${element}/click`, {}))),
      type: async (text) =>
        void (await send('POST', `${session}/actions`, {
          actions: [
            {
              type: 'key',
              id: 'keyboard',
              actions: [...text].flatMap((value) => [
                { type: 'keyDown', value },
                { type: 'keyUp', value },
              ]),
            },
          ],
        })),
      run: (script, ...args) => run(script, ...args) as Promise<never>,
      until: (script, ...args) =>
        keepTrying(async () => {
          if ((await run(script, ...args)) !== true) throw new Error(`Still false: ${script}`)
        }),
      enterFrame: async (frame) =>
        void (await send('POST', `${session}/frame`, { id: { [elementKey]: frame } })),
      leaveFrames: async () => void (await send('POST', `${session}/frame`, { id: null })),
      close: async () => {
        await send('DELETE', session).catch(() => {})
        end()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}
