/**
 * Handles presses of the button: opens the window, reports its state to the dialog, and watches whether it
 * closes.
 */
import { oauthLimits } from '@latchkey/protocol'
import type { OpenedPage, OpenedWindowState, OpenWindowParameters } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { lookParameters } from '../pages/look.ts'

type OpenedWindow = { closed: boolean; focus: () => unknown }

export type OpenerPorts = {
  appId: string
  origin: string
  handle: string
  parameters: Pick<OpenWindowParameters, 'page'>
  /** The parameters to pass to the opened page, which has no dialog to get them from. */
  passedOn: URLSearchParams
  clock: Clock
  /** Returns null if the browser blocked the window or does not expose it. */
  open: (address: string, features: string) => OpenedWindow | null
  tell: (state: OpenedWindowState) => void
}

const sharedParameters = ['caid', 'client_id', 'lang']
const parametersByPage: { [page in OpenedPage]: readonly string[] } = {
  confirm: sharedParameters,
  recovery: sharedParameters,
  'embedded-wallets/export': [...sharedParameters, 'address', ...lookParameters],
}

export function createOpener({
  appId,
  origin,
  handle,
  parameters,
  passedOn,
  clock,
  open,
  tell,
}: OpenerPorts) {
  let stopWatching = () => {}
  let openWindow: OpenedWindow | null = null

  function address(): string {
    const url = new URL(`/apps/${appId}/${parameters.page}`, origin)
    for (const name of parametersByPage[parameters.page]) {
      const value = passedOn.get(name)
      if (value !== null) url.searchParams.set(name, value)
    }
    url.hash = handle
    return url.href
  }

  /** Polls the window. Browsers may report an open window as closed, so this is only a hint. */
  function watch(opened: OpenedWindow) {
    stopWatching = clock.after(oauthLimits.closedCheckMs, () => {
      if (opened.closed) tell('closed')
      else watch(opened)
    })
  }

  return {
    /** Must run inside the click: browsers block windows that open after an await. */
    press() {
      // A handle works once, so a second window would get no request.
      if (openWindow && !openWindow.closed) {
        openWindow.focus()
        return tell('open')
      }
      stopWatching()
      const { popupWidthPx, popupHeightPx } = oauthLimits
      const newWindow = open(address(), `popup,width=${popupWidthPx},height=${popupHeightPx}`)
      openWindow = newWindow
      tell(newWindow === null ? 'unknown' : 'open')
      if (newWindow) watch(newWindow)
    },
  }
}
