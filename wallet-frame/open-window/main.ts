/**
 * The page with the button that opens a wallet window, in an iframe on the dialog's card. It has no network
 * access and no vault.
 */
import '../pages/page.css'
import './open-window.css'
import { product } from '@latchkey/protocol'
import { openedPageHandle, openWindowParameters, type WindowMessage } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { systemClock } from '../clock.ts'
import { button, make } from '../pages/elements.ts'
import { selectLanguage } from '../pages/languages.ts'
import { applyLook } from '../pages/look.ts'
import { mayRunUnder, readPageConfig } from '../pages/page.ts'
import { createOpener } from './opener.ts'

function start() {
  const config = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  const ancestors: DOMStringList | undefined = location.ancestorOrigins
  const parametersToPass = new URLSearchParams(location.search)
  const parameters = v.safeParse(openWindowParameters, Object.fromEntries(parametersToPass))
  const handle = v.safeParse(openedPageHandle, location.hash.slice(1))
  const isFramed = window.parent !== window && mayRunUnder(ancestors && [...ancestors], config)
  if (!isFramed || !parameters.success || !handle.success) {
    console.error(`${product.name}: this page does not run under these windows, or not with this address`)
    return
  }
  const root = document.documentElement
  const { lang, dir } = selectLanguage(location.search)
  Object.assign(root, { lang, dir })
  applyLook(root, location.search)
  const { label, again } = parameters.output
  const postState = (state: WindowMessage['state']) => {
    const message: WindowMessage = { type: `${product.eventPrefix}window`, handle: handle.output, state }
    window.parent.postMessage(message, { targetOrigin: config.dialogOrigin })
  }
  addEventListener('keydown', (event) => {
    if (event.isTrusted && event.key === 'Escape' && !event.repeat) postState('escape')
  })
  const opener = createOpener({
    appId: config.appId,
    origin: location.origin,
    handle: handle.output,
    parameters: parameters.output,
    passedOn: parametersToPass,
    clock: systemClock,
    open: (address, features) => window.open(address, '_blank', features),
    tell(state) {
      pressed.textContent = again
      pressed.className = state === 'open' ? 'quiet' : 'primary'
      postState(state)
    },
  })
  const pressed = button('primary', label, opener.press)
  document.body.append(make('main', {}, make('h1', { textContent: label }), pressed))
  postState('drawn')
}

start()
