/** What a press on the button does: it opens the window, tells the dialog so, and watches whether it is closed. */
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
  /** Goes on to the page that is opened, which has no dialog to be told it by. */
  passedOn: URLSearchParams
  clock: Clock
  /** Null where none came, or where nothing is told of the one that came. */
  open: (address: string, features: string) => OpenedWindow | null
  tell: (state: OpenedWindowState) => void
}

const shared = ['caid', 'client_id', 'lang']
const parametersByPage: { [page in OpenedPage]: readonly string[] } = {
  confirm: shared,
  recovery: shared,
  'embedded-wallets/export': [...shared, 'address', ...lookParameters],
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
  let callOff = () => {}
  let present: OpenedWindow | null = null

  function address(): string {
    const url = new URL(`/apps/${appId}/${parameters.page}`, origin)
    for (const name of parametersByPage[parameters.page]) {
      const value = passedOn.get(name)
      if (value !== null) url.searchParams.set(name, value)
    }
    url.hash = handle
    return url.href
  }

  /** A browser may say that a window is closed which is open, so this ends nothing. */
  function watch(opened: OpenedWindow) {
    callOff = clock.after(oauthLimits.closedCheckMs, () => {
      if (opened.closed) tell('closed')
      else watch(opened)
    })
  }

  return {
    /** Must run inside the click: after any await the browser opens no window. */
    press() {
      // The page is for its handle once: another one of it would be told nothing.
      if (present && !present.closed) {
        present.focus()
        return tell('open')
      }
      callOff()
      const { popupWidthPx, popupHeightPx } = oauthLimits
      const opened = open(address(), `popup,width=${popupWidthPx},height=${popupHeightPx}`)
      present = opened
      tell(opened === null ? 'unknown' : 'open')
      if (opened) watch(opened)
    },
  }
}
