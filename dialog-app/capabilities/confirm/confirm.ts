import { isInsideApp } from '../../browser/device.ts'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'

export const confirmIn = (browser: { userAgent: string }) =>
  defineCapability({
    name: 'confirm',
    screens: async () => (await import('./screens.ts')).screens,
    loadedFor: 'nobody',
    bring(ports) {
      const decision = loadable(() => import('./decision.ts'))
      return {
        load: decision.load,
        confirmOnPage: {
          isPossible: () => !isInsideApp(browser.userAgent),
          async awaitDecision(confirmed, signal) {
            const { awaitDecision } = await ports.load(decision.load)
            await awaitDecision(ports, confirmed, signal)
          },
          async explain(card) {
            const { createInAppCall } = await ports.load(decision.load)
            await card.interrupt(createInAppCall(ports))
          },
        },
      }
    },
  })

export const confirm = confirmIn({
  get userAgent() {
    return navigator.userAgent
  },
})
