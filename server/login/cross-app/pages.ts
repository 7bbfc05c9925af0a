/** The page that a window begins with that goes to the page of a provider. */
import type { Page } from '../../kernel/http/page.ts'
import { goingTo, startPages, windowPage } from '../window/window.ts'
import { takeAddress } from './window.ts'

export const crossAppPages: readonly Page[] = startPages({
  purpose: 'cross-app',
  path: '/cross-app/start/{handle}',
  async goOn(c, context, { handle }) {
    const going = await takeAddress(context, handle)
    return going ? goingTo(c, going.name, going.address) : windowPage(c, 'over')
  },
  // It goes nowhere, and the provider's request is over in two minutes.
  fail: takeAddress,
})
